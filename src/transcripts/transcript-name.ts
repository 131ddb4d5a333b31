// The name of a transcript: that of its file, without folders and ending. Works on paths of either kind of system.

export function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.\w+$/, '');
}
