// Text in columns: cut to a width, or broken into lines of it at words.

export function cut(text: string, width: number): string {
  const points = [...text];
  return points.length > width ? `${points.slice(0, width - 1).join('')}…` : text;
}

export function wrap(text: string, width: number, most: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    if (row !== '' && [...row].length + [...word].length + 1 > width) {
      rows.push(row);
      row = '';
      if (rows.length > most) break;
    }
    row = row === '' ? cut(word, width) : `${row} ${word}`;
  }
  if (row !== '') rows.push(row);
  return rows.length > most ? [...rows.slice(0, most - 1), cut(`${rows[most - 1]}${'…'}`, width)] : rows;
}
