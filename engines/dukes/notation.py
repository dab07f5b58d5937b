"""x"""
SEATS = ("black", "red")
