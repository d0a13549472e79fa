/**
 * Headers that compilers and operating systems bring: the standard libraries of C and C++, POSIX, Linux, Windows.
 *
 * Such a name in a repository (`compat/string.h`) is a stand-in that only the build chooses, so no include of it
 * is resolved to that file unless it lies beside the including file.
 */

/** Without an extension: C++'s own. */
const BARE = /^[a-z_]+$/;

const HEADERS: ReadonlySet<string> = new Set(
  `aio assert complex conio cpio crypt ctype direct dirent dlfcn elf err errno execinfo fcntl fenv float fmtmsg fnmatch
   ftw getopt glob grp iconv ifaddrs inttypes io iso646 langinfo libgen libintl limits locale malloc math mntent
   monetary mqueue ndbm netdb nl_types ntdef poll process pthread pwd regex resolv sched search semaphore setjmp shadow
   signal spawn stdalign stdarg stdatomic stdbool stdbit stdckdint stddef stdint stdio stdlib stdnoreturn string strings
   stropts synch syslog sysexits tar termios tgmath threads time trace uchar ucontext ulimit unistd utime utmp utmpx
   wchar wctype windows winsock winsock2 ws2tcpip winbase windef wordexp alloca byteswap endian features
   memory intrin immintrin emmintrin xmmintrin smmintrin tmmintrin nmmintrin arm_neon arm_acle cpuid x86intrin`
    .split(/\s+/)
    .map((name) => `${name}.h`),
);

const FOLDERS: ReadonlySet<string> = new Set(
  "sys net netinet netpacket arpa linux asm asm-generic mach machine rpc bits gnu experimental ext".split(" "),
);

/** Whether an include, as it is written without brackets, means a header of the system. */
export function isSystemHeader(written: string): boolean {
  if (BARE.test(written) || HEADERS.has(written)) return true;
  const [folder = "", ...rest] = written.split("/");
  return rest.length > 0 && FOLDERS.has(folder);
}
