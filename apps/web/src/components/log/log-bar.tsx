import {
  CaseSensitive,
  CircleX,
  Filter,
  Regex,
  Search,
  WholeWord,
  WrapText,
  X,
  ChevronDown,
  ChevronUp,
} from 'lucide-react'
import { Suspense, useEffect, type ReactNode } from 'react'
import { DownloadMenu } from './download-menu.tsx'
import css from './log-bar.module.css'
import type { LogBarProps } from './log-bar-props.ts'
import { CONTEXTS } from './find/use-log-find.ts'
import type { LogFind } from './find/use-log-find.ts'
import { ViewMenu } from './view-menu.tsx'
import { IconButton } from '../../ui/button.tsx'
import { countText, counted } from '@beadloom/core/text/count-text.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { typedKey } from '../../ui/keys/typed-key.ts'

/** Loaded later: only a phone needs it. */
const fewTools = lazyPart(async () => (await import('./few-tools.tsx')).FewTools)

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

/** Find and Filter in one bar, the errors, and how the log is shown and downloaded. */
export function LogBar(props: LogBarProps) {
  const { find, narrow } = props
  return (
    <div
      className={css['bar']}
      role="search"
      aria-label="Find in the log"
      data-finding={find.query.text !== '' || undefined}
    >
      {props.lead !== undefined && <span className={css['lead']}>{props.lead}</span>}
      <FindField {...props} />
      {!narrow && <FindTools find={find} />}
      <span className={css['end']}>
        {narrow ? (
          <Suspense fallback={<span className={css['menu']} />}>
            <fewTools.Part {...props} />
          </Suspense>
        ) : (
          <AllTools {...props} />
        )}
      </span>
    </div>
  )
}

const FindTools = ({ find }: { find: LogFind }) => (
  <span className={css['group']}>
    <Toggle label="Match case" on={find.query.matchCase} flip={(matchCase) => find.change({ matchCase })}>
      <CaseSensitive {...icon} />
    </Toggle>
    <Toggle label="Whole words" on={find.query.word} flip={(word) => find.change({ word })}>
      <WholeWord {...icon} />
    </Toggle>
    <Toggle label="Regular expression" on={find.query.regex} flip={(regex) => find.change({ regex })}>
      <Regex {...icon} />
    </Toggle>
    <Toggle label="Only matching lines" keys="f" on={find.filtering} flip={find.setFiltering}>
      <Filter {...icon} />
    </Toggle>
    {find.filtering && (
      <select
        className={css['context']}
        aria-label="Lines around each match"
        value={find.context}
        onChange={(event) => find.setContext(Number(event.target.value))}
      >
        {CONTEXTS.map((count) => (
          <option key={count} value={count}>
            ± {count}
          </option>
        ))}
      </select>
    )}
  </span>
)

function AllTools(props: LogBarProps) {
  const { session, lines, errors, choices } = props
  return (
    <>
      {props.children}
      {errors.hits.length > 0 && (
        <span className={css['group']}>
          <span className={css['errors']} role="status">
            <CircleX {...icon} />
            <span>{errors.text || countText(errors.hits.length)}</span>
            {errors.text === '' && <span className={css['word']}>{errors.hits.length === 1 ? 'error' : 'errors'}</span>}
          </span>
          <IconButton label="Previous error" keys="E" onClick={() => props.onError(-1)}>
            <ChevronUp {...icon} />
          </IconButton>
          <IconButton label="Next error" keys="e" onClick={() => props.onError(1)}>
            <ChevronDown {...icon} />
          </IconButton>
        </span>
      )}
      {errors.hits.length === 0 && errors.text !== '' && (
        <span className={css['count']} role="status">
          {errors.text}
        </span>
      )}
      <span className={css['lines']}>{lines > 0 && counted(lines, 'line')}</span>
      <Toggle label="Wrap long lines" keys="w" on={choices.wrap} flip={() => props.onChoice('wrap')}>
        <WrapText {...icon} />
      </Toggle>
      <ViewMenu choices={choices} onChoice={props.onChoice} />
      <DownloadMenu session={session} lines={lines} open={props.download} onOpen={props.onDownload} />
    </>
  )
}

export function FindField({ find, input, onDone }: Pick<LogBarProps, 'find' | 'input' | 'onDone'>) {
  const failed = typeof find.state === 'object' ? find.state.failed : null
  const elsewhere = elsewhereText(find)
  useEffect(() => {
    if (find.typing) input.current?.focus()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, where the find has come from another session
  }, [])
  return (
    <span className={css['find']}>
      <Search {...icon} />
      <input
        ref={input}
        value={find.query.text}
        onChange={(event) => find.change({ text: event.target.value })}
        onKeyDown={(event) => {
          const key = typedKey(event)
          if (key === 'Enter') find.step(event.shiftKey ? -1 : 1)
          if (key !== 'Escape') return
          find.change({ text: '' })
          onDone()
        }}
        placeholder={find.filtering ? 'Show only lines containing…' : 'Find in the log'}
        aria-label="Find in the log"
        aria-invalid={failed !== null}
        aria-describedby="log-find-state"
        autoComplete="off"
        spellCheck={false}
      />
      <span
        id="log-find-state"
        className={failed === null ? `${css['count']} ${find.state === 'searching' ? css['late'] : ''}` : css['failed']}
        role="status"
        title={failed ?? (elsewhere === '' ? undefined : elsewhereTitle(find))}
      >
        {find.query.text === '' ? '' : `${hitsText(find)}${elsewhere}`}
      </span>
      {find.query.text !== '' && (
        <span className={css['group']}>
          <IconButton label="Previous match" keys="N" onClick={() => find.step(-1)}>
            <ChevronUp {...icon} />
          </IconButton>
          <IconButton label="Next match" keys="n" onClick={() => find.step(1)}>
            <ChevronDown {...icon} />
          </IconButton>
          <IconButton label="Clear" onClick={() => find.change({ text: '' })}>
            <X {...icon} />
          </IconButton>
        </span>
      )}
    </span>
  )
}

type ToggleProps = { label: string; keys?: string; on: boolean; flip: (on: boolean) => void; children: ReactNode }

function Toggle({ label, keys, on, flip, children }: ToggleProps) {
  return (
    <IconButton
      label={label}
      {...(keys === undefined ? {} : { keys })}
      aria-pressed={on}
      className={on ? css['on'] : undefined}
      onClick={() => flip(!on)}
    >
      {children}
    </IconButton>
  )
}

/** Hits in other sessions: "· 40 elsewhere". */
function elsewhereText({ state, elsewhere }: LogFind): string {
  if (elsewhere === null || state === 'searching' || typeof state === 'object') return ''
  if (typeof elsewhere.state === 'object') return ' · here alone'
  if (elsewhere.hits > 0) return ` · ${countText(elsewhere.hits)} elsewhere`
  return elsewhere.state === 'done' ? '' : ' …'
}

function elsewhereTitle({ elsewhere }: LogFind): string | undefined {
  if (elsewhere === null) return undefined
  if (typeof elsewhere.state === 'object') return `The other sessions could not be searched. ${elsewhere.state.failed}`
  if (elsewhere.hits === 0) return undefined
  return `${counted(elsewhere.hits, 'match', 'matches')} in ${counted(elsewhere.sessions, 'other session')}: the next match after the last one here`
}

function hitsText({ at, hits, state, elsewhere }: LogFind): string {
  if (typeof state === 'object') return state.failed
  if (state === 'idle' || (at < 0 && state === 'searching')) return 'searching…'
  if (hits.length === 0) return elsewhere !== null && elsewhere.hits > 0 ? 'none here' : 'no matches'
  const more = state === 'more' ? '+' : state === 'searching' ? ' …' : ''
  return `${countText(at + 1)} of ${countText(hits.length)}${more}`
}
