import { callWords, type CallWords } from '@beadloom/core/conversation/call-words.ts'
import type { CallResult, StepOf } from '@beadloom/core/conversation/step.ts'
import { Bot, FilePen, FilePlus, FileText, FolderOpen, Globe, Search, SquareTerminal, Wrench } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { BodyView, sizeOf } from './body-view.tsx'
import css from './conversation.module.css'
import inside from './step-body.module.css'
import { plain } from './plain.ts'
import type { StepTools } from './step-tools.ts'
import { Fold } from './fold.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'

const digest = lazyPart(async () => (await import('./run-digest.tsx')).RunDigest)

const glyphs = {
  edit: FilePen,
  write: FilePlus,
  run: SquareTerminal,
  search: Search,
  list: FolderOpen,
  read: FileText,
  web: Globe,
  ask: Bot,
  other: Wrench,
}

/** A change of at most this many lines is shown at once. */
const SMALL = 12
const MOST_DIFF_LINES = 120
/** A failed command's output of at most this many lines needs no digest. */
const SHORT_OUTPUT = 12

/** "edited src/date.ts +4 −1", with its change or result inside. */
export function CallView({ step, tools }: { step: StepOf<'call'>; tools: StepTools }) {
  const given = tools.given(step.first)
  const words = useMemo(() => callWords(step.tool, given ?? step.given, step.result), [step, given])
  const { kind, verb, what, outcome, diff: change } = words
  const { result } = step
  const Glyph = glyphs[kind]
  const small = change !== null && kind === 'edit' && change.lines.length <= SMALL
  const failed = result !== null && !result.ok
  const open = tools.isOpen(step.first) ?? (small || (failed && kind === 'run'))
  const has = change !== null || (result !== null && result.body.lines > 0)
  return (
    <Fold
      open={open && has}
      onFlip={has ? () => tools.flip(step.first, !open) : null}
      tone={failed ? 'failed' : result === null ? 'running' : 'quiet'}
      glyph={<Glyph size={16} strokeWidth={1.5} aria-hidden />}
      head={
        <>
          <span className={css['verb']}>{verb}</span>{' '}
          {what !== '' && <code className={css['what']}>{plain(what)}</code>}{' '}
          {change !== null && <Counts change={change} />}{' '}
          {outcome !== '' && <span className={failed ? css['bad'] : css['outcome']}>{outcome}</span>}
          {result === null && <span className={css['outcome']}>{tools.live ? 'running' : 'no result'}</span>}
        </>
      }
      end={
        result === null
          ? ''
          : [change === null && result.body.lines > 0 ? sizeOf(result.body) : '', result.took]
              .filter(Boolean)
              .join(' · ')
      }
    >
      {change !== null && <Change change={change} />}
      {result !== null && result.body.lines > 0 && (change === null || failed) && (
        <Came kind={kind} command={what} result={result} tools={tools} />
      )}
    </Fold>
  )
}

type CameProps = { kind: CallWords['kind']; command: string; result: CallResult; tools: StepTools }

/** The result of a call: failures first, then its output. */
function Came({ kind, command, result: { ok, body }, tools }: CameProps) {
  const output = <BodyView body={body} indent={2} tools={tools} />
  if (ok || kind !== 'run' || body.lines <= SHORT_OUTPUT) return output
  return (
    <Suspense fallback={output}>
      <digest.Part body={body} command={command} tools={tools}>
        {output}
      </digest.Part>
    </Suspense>
  )
}

function Counts({ change: { added, removed } }: { change: NonNullable<CallWords['diff']> }) {
  return (
    <span className={css['counts']}>
      {added > 0 && <span className={css['added']}>+{added}</span>}{' '}
      {removed > 0 && <span className={css['removed']}>−{removed}</span>}
    </span>
  )
}

const signs = { added: '+', removed: '−', same: ' ', file: '', note: '' } as const

function Change({ change }: { change: NonNullable<CallWords['diff']> }) {
  const lines = change.lines.slice(0, MOST_DIFF_LINES)
  return (
    <div className={inside['change']} role="group" aria-label={`${change.added} added, ${change.removed} removed`}>
      {lines.map(({ kind, text }, at) => (
        <div key={at} className={`${inside['code']} ${inside[`is-${kind}`] ?? ''}`}>
          {signs[kind] !== '' && <span className={inside['sign']}>{signs[kind]}</span>}
          <span className={inside['text']}>{plain(text.slice(0, 1000))}</span>
        </div>
      ))}
      {change.lines.length > lines.length && (
        <p className={inside['muted']}>… {change.lines.length - lines.length} more lines</p>
      )}
    </div>
  )
}
