// A colour for every kind: the same hue for the same matter in all layers (a decision is blue, whether written down or said),
// the shape of its mark tells the layer. A kind that nobody foresaw gets a hue from its name, always the same.

const HUES: { readonly [kind: string]: number } = {
  decision: 258,
  constraint: 28,
  runbook: 150,
  tech_debt: 65,
  preference: 330,
  session_summary: 205,
  session: 205,
  'file-summary': 235,
  file: 235,
  discovery: 180,
  task: 95,
  todo: 95,
  error: 12,
  problem: 12,
  question: 300,
  conclusion: 275,
  solution: 135,
};

/** Greyish: kinds that are background to the others. */
const PALE: { readonly [kind: string]: number } = {
  context: 110,
  span: 205,
  'file-summary': 235,
  file: 235,
  memory: 110,
};

export type Hue = { readonly h: number; readonly c: number };

export function hueOf(kind: string): Hue {
  if (Object.hasOwn(PALE, kind)) return { h: PALE[kind]!, c: 0.045 };
  return { h: Object.hasOwn(HUES, kind) ? HUES[kind]! : nameHue(kind), c: 0.13 };
}

function nameHue(name: string): number {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  return (hash * 137.5) % 360;
}

/** For elements of class `hue`. */
export function hueStyle(kind: string): { readonly [property: string]: string } {
  const { h, c } = hueOf(kind);
  return { '--h': String(h), '--c': String(c) };
}

/** What a canvas can use: the browser itself turns the theme's colour into numbers. */
export function fillOf(kind: string, dark: boolean): string {
  const { h, c } = hueOf(kind);
  return toHex(`oklch(${dark ? 72 : 60}% ${c} ${h})`);
}

const known = new Map<string, string>();
let pen: CanvasRenderingContext2D | null = null;

export function toHex(colour: string): string {
  const found = known.get(colour);
  if (found) return found;
  pen ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  if (!pen) return '#808080';
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r = 128, g = 128, b = 128] = pen.getImageData(0, 0, 1, 1).data;
  const hex = `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  known.set(colour, hex);
  return hex;
}
