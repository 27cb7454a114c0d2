import { digestText } from '@beadloom/core/digest/digest-reader.ts'
import type { Body } from '@beadloom/core/conversation/step.ts'
import { useMemo, useState, type ReactNode } from 'react'
import { sizeOf } from './body-view.tsx'
import css from './step-body.module.css'
import type { StepTools } from './step-tools.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

/** Tools say at the end what failed, so only these last lines are read: that takes a few milliseconds, once. */
const MOST_LINES = 1000
const MOST_CHARACTERS = 1000

/**
 * A command's failures, read from its tool's output, before the whole output; only the output if the tool is unknown.
 */
export function RunDigest(props: { body: Body; command: string; tools: StepTools; children: ReactNode }) {
  const { body, command, tools, children } = props
  const [all, setAll] = useState(false)
  const text = useMemo(() => {
    const lines: string[] = []
    for (let n = Math.max(body.first, body.last - MOST_LINES + 1); n <= body.last; n++)
      lines.push((tools.line(n) ?? '').slice(2, 2 + MOST_CHARACTERS).toWellFormed())
    const { tool, digest } = digestText(lines.join('\n'), { command }, 1)
    return tool === 'generic' ? null : digest
  }, [body, command, tools])
  if (text === null) return children
  return (
    <>
      <pre className={css['digest']} tabIndex={0} role="group" aria-label="What failed">
        {shown(text)}
      </pre>
      <button type="button" className={css['rest']} aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? 'Hide the output' : `Show the output, ${sizeOf(body)}`}
      </button>
      {all && children}
    </>
  )
}
