"""The operating system, as Octoscope uses it, and the report of problems.

Imports nothing of Octoscope.

    paths        absolute paths, also after the working folder was removed.
    atomic_file  write files that appear whole or not at all; SaveError, WriteError.
    file_lock    let one program at a time write a file.
    file_finder  find the files that a file names, though it was moved or written on another system.
    elsewhere    files in archives and on servers, which formats add: their paths, and who reads them.
    text_file    open files from outside: size limits, text encodings; ReadError.
    natural_order  the order in which people expect names.
    unique_names  UniqueNames: a name that is taken gets a number.
    memory       how much memory is free; many objects made without looking for garbage.
    read_limits  what reading a file may take: memory, unpacked bytes, pixels.
    quiet        keep other libraries' warnings quiet on one thread.
    processes    how many processors this process may use; end it with the one that has started it.
    json_fields  check values read from JSON; MalformedError; report unknown fields.
    report       Problem and LoadReport: what opening files brought and what went wrong.
"""
