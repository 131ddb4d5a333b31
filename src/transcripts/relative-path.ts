// Names a file by its path in the project, so that the same file has the same name in every conversation and on every
// machine. A file outside keeps its whole path.

export function relativeTo(file: string, directory: string | null): string {
  const plain = file.replaceAll('\\', '/');
  const base = directory?.replaceAll('\\', '/').replace(/\/$/, '');
  return base && plain.startsWith(`${base}/`) ? plain.slice(base.length + 1) : plain;
}
