// Something in a drawing that can be chosen: by pointer, by keyboard, by a screen reader.

import type { ComponentChildren } from 'preact';

type ButtonProps = {
  class: string;
  style?: { [name: string]: string } | undefined;
  data?: { [name: `data-${string}`]: string | boolean };
  /** What a screen reader says, and a tooltip. */
  name: string;
  choose: () => void;
  /** The pointer or the focus is on it. */
  over: (isOver: boolean) => void;
  children: ComponentChildren;
};

export function DrawnButton({ class: name, style, data, name: title, choose, over, children }: ButtonProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: HTML has no button inside a drawing
    <g
      class={name}
      {...(style ? { style } : {})}
      {...data}
      role="button"
      tabIndex={0}
      onClick={choose}
      onMouseEnter={() => over(true)}
      onMouseLeave={() => over(false)}
      onFocus={() => over(true)}
      onBlur={() => over(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        choose();
      }}
    >
      <title>{title}</title>
      {children}
    </g>
  );
}
