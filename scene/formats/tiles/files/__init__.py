"""Files of tilesets that do not lie as they are in a folder: read as if they did.

Imports what scene.formats may.

    archive      members of archives (.3tz).
    remote       files on servers, fetched over HTTP and kept in the user's cache.
    packed_file  read_unpacked: a file, also where it is packed by gzip.
"""
