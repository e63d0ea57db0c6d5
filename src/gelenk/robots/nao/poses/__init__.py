"""Leg and head poses from which a NAO sees its own sandals well."""
