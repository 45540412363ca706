/* What is Linux's alone in this room; the rest is C11 and POSIX. */
#ifndef CATMOUSE_PROTO_SYSTEM_LINUX_H
#define CATMOUSE_PROTO_SYSTEM_LINUX_H

enum { SOCKET_PATH_MAX = 107 }; /* what sun_path holds without its NUL; 103 on macOS and the BSDs */

#endif
