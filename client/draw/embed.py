#!/usr/bin/python3
"""Makes a C array of a file: embed.py FILE NAME >FILE.c"""
import sys

path, name = sys.argv[1:]
with open(path, "rb") as file:
    text = file.read()
print(f"/* Made from {path.rpartition('/')[2]} by embed.py. */")
print(f"extern const char {name}[];\nextern const unsigned long {name}_bytes;")
print(f"const char {name}[] = {{")
for at in range(0, len(text), 20):
    print("  " + ", ".join(str(byte) for byte in text[at:at + 20]) + ",")
print(f"}};\nconst unsigned long {name}_bytes = sizeof {name};")
