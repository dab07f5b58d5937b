"""The command line of Kibitz."""
