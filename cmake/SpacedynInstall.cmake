# Installation: completed by the package configuration files.
