import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './verdict.module.css'

/** `null`: it works, and is weaker than it could be. */
type Props = { ok: boolean | null; children: ReactNode }

/** A picture in front of a sentence: whether all is well. */
export function Verdict({ ok, children }: Props) {
  const Icon = ok === null ? TriangleAlert : ok ? CircleCheck : CircleX
  return (
    <span className={css['verdict']} data-ok={ok ?? 'weak'}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      {ok === false && <span className="visually-hidden">Problem: </span>}
      {ok === null && <span className="visually-hidden">Warning: </span>}
      <span>{children}</span>
    </span>
  )
}
