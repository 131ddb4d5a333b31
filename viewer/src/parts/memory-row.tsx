// A memory in a list, and the address of its page.

import type { ComponentChildren } from 'preact';
import { useRegistry } from '../registry.tsx';
import { hrefOf } from '../route.ts';
import { KindMark, StatusMark, When } from './marks.tsx';

type Named = { readonly ref: string; readonly project: string };

/** `project` only where it is needed, so that addresses stay readable. */
export function memoryHref({ ref, project }: Named): string {
  return hrefOf('memory', { ref, project });
}

type RowProps = {
  of: Named & { readonly layer: string; readonly kind: string; readonly title: string; readonly status?: string };
  at?: number;
  /** Without its kind, where a heading says it. */
  plain?: boolean;
  children?: ComponentChildren;
};

export function MemoryRow({ of, at, plain, children }: RowProps) {
  const { project } = useRegistry();
  const foreign = of.project !== project.id && of.project !== project.memoryRoot;
  return (
    <li class="row">
      <div class="row-title">
        {!plain && <KindMark layer={of.layer} kind={of.kind} />}
        <a href={memoryHref(of)} data-row class="clamp">
          {of.title}
        </a>
        {of.status && <StatusMark status={of.status} />}
        {foreign && <span class="badge">{of.project.split(/[\\/]/).at(-1)}</span>}
        {at !== undefined && <When at={at} />}
      </div>
      {children}
    </li>
  );
}
