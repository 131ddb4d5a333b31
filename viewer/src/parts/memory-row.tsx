// A memory in a list, and the address of its page.

import type { ComponentChildren } from 'preact';
import { useRegistry } from '../registry.tsx';
import { hrefOf } from '../route.ts';
import { KindMark, StatusMark, When } from './marks.tsx';
import { PlainText } from './plain-text.tsx';

type Named = { readonly ref: string; readonly project: string };

/** `of` is the project that the memory belongs to; `project` is the one that was chosen to look at. */
export function memoryHref({ ref, project }: Named): string {
  return hrefOf('memory', { ref, of: project });
}

type RowProps = {
  of: Named & { readonly layer: string; readonly kind: string; readonly title: string; readonly status?: string };
  at?: number;
  /** Without its kind, where a heading says it. */
  plain?: boolean;
  /** A box before it, where several can be chosen. */
  choice?: ComponentChildren;
  children?: ComponentChildren;
};

export function MemoryRow({ of, at, plain, choice, children }: RowProps) {
  const { project } = useRegistry();
  const foreign = of.project !== project.id && of.project !== project.memoryRoot;
  return (
    <li class="row">
      <div class="row-title">
        {choice}
        {!plain && <KindMark layer={of.layer} kind={of.kind} />}
        <a href={memoryHref(of)} data-row class="clamp">
          <PlainText text={of.title} />
        </a>
        {of.status && <StatusMark status={of.status} />}
        {foreign && <span class="badge">{of.project.split(/[\\/]/).at(-1)}</span>}
        {at !== undefined && <When at={at} />}
      </div>
      {children}
    </li>
  );
}
