// What stands in a field that must be there and that nobody has said: for readers of the file. It is no content, so it is
// neither searched nor shown nor merged.
export const NOT_STATED = 'Not stated.';
