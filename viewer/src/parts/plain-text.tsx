// One line of what was said: names in backticks as code, bold as bold, the rest as it is. Never HTML.

const PIECES = /(`[^`\n]{1,200}`|\*\*[^*\n]{1,300}\*\*)/;

export function PlainText({ text }: { text: string }) {
  return (
    <>
      {text.split(PIECES).map((piece, at) => {
        if (at % 2 === 0) return piece;
        if (piece.startsWith('`')) return <code key={at}>{piece.slice(1, -1)}</code>;
        return <strong key={at}>{piece.slice(2, -2)}</strong>;
      })}
    </>
  );
}
