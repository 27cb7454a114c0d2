import type { LogSection } from '@beadloom/core/api/executions/log-api.ts'
import { Check, ListTree, LoaderCircle, X } from 'lucide-react'
import { memo, useEffect, useMemo, useRef } from 'react'
import type { LogHits } from '../find/log-hits.ts'
import css from './log-outline.module.css'
import { enough } from './use-sections.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { countText, counted } from '@beadloom/core/text/count-text.ts'
import { elapsedText, spanText } from '../../../ui/text/time-text.ts'
import { callDetail as detailOf } from '@beadloom/core/log/call-detail.ts'

/** More would make the page slow; the log itself has all of them. */
const MOST_ENTRIES = 400

export type OutlineProps = {
  sections: readonly LogSection[]
  /** Number of lines that look like errors, by the first line of their section. */
  counts: ReadonlyMap<number, number>
  /** First line of the section at the top of the view. */
  here: number
  onLine: (line: number) => void
  /** There is no outline yet. */
  toCome: boolean
}

export function errorCounts(sections: readonly LogSection[], errors: LogHits): ReadonlyMap<number, number> {
  const end = (last: number | null) => (last ?? Number.MAX_SAFE_INTEGER - 1) + 1
  return new Map(
    sections
      .filter(({ kind }) => kind === 'section')
      .map(({ first, last }) => [first, errors.within(first, end(last))] as const),
  )
}

/** The sections of a log, with the agent's steps and calls, as a rail beside it. */
export const OutlineRail = memo(function OutlineRail({ sections, counts, here, onLine, toCome }: OutlineProps) {
  const rail = useRef<HTMLElement>(null)
  const entries = useMemo(() => shownEntries(sections), [sections])
  useEffect(() => {
    rail.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [here])
  if (!enough(sections))
    return toCome ? (
      <div className={css['rail']}>
        <p className={css['rest']}>Steps and commands appear here.</p>
      </div>
    ) : null
  return (
    <nav ref={rail} className={css['rail']} aria-label="Log sections">
      {entries.map((section) => (
        <button
          key={section.first}
          type="button"
          className={`${css['entry']} ${css[section.kind]}`}
          aria-current={section.first === here ? 'true' : undefined}
          title={section.command === null ? undefined : shown(section.command)}
          onClick={() => onLine(section.first)}
        >
          <Entry section={section} found={counts.get(section.first) ?? 0} />
        </button>
      ))}
      {sections.length > entries.length && (
        <p className={css['rest']}>… {counted(sections.length - entries.length, 'more call')}</p>
      )}
    </nav>
  )
})

/** The same as a menu, for narrow places. */
export function OutlineMenu({ sections, counts, here, onLine }: OutlineProps) {
  const entries = useMemo(() => shownEntries(sections), [sections])
  if (sections.length < 2) return null
  return (
    <Menu
      label="Log sections"
      trigger={
        <IconButton label="Log sections">
          <ListTree size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
      }
    >
      {entries.map((section) => (
        <MenuItem key={section.first} onSelect={() => onLine(section.first)} current={section.first === here}>
          <Entry section={section} found={counts.get(section.first) ?? 0} />
        </MenuItem>
      ))}
    </Menu>
  )
}

/** All sections and steps, and as many calls as there is room for: first the failed ones, then the newest. */
function shownEntries(sections: readonly LogSection[]): readonly LogSection[] {
  if (sections.length <= MOST_ENTRIES) return sections
  const rank = (section: LogSection) =>
    section.kind === 'section' ? 0 : section.kind === 'step' ? 1 : section.exit ? 2 : 3
  return sections
    .toSorted((a, b) => rank(a) - rank(b) || b.first - a.first)
    .slice(0, MOST_ENTRIES)
    .toSorted((a, b) => a.first - b.first)
}

const small = { size: 12, strokeWidth: 2.25, 'aria-hidden': true } as const

function Entry({ section, found }: { section: LogSection; found: number }) {
  const { title, startedAt, endedAt } = section
  const detail = callDetail(section)
  return (
    <>
      <Glyph section={section} />
      <span className={css['title']}>
        {shown(title)}
        {detail !== '' && <span className={css['detail']}> {shown(detail)}</span>}
      </span>
      {found > 0 && (
        <span className={css['found']} title={`${counted(found, 'line looks', 'lines look')} like errors`}>
          <X {...small} />
          {countText(found)}
          <span className="visually-hidden"> errors</span>
        </span>
      )}
      <span className={`${css['time']} live-number`}>
        {endedAt === null ? <Running since={startedAt} /> : spanText(endedAt - startedAt)}
      </span>
    </>
  )
}

/** Renders every second, unlike the rest of the outline. */
function Running({ since }: { since: number }) {
  return elapsedText(useServerNow() - since)
}

function Glyph({ section: { kind, exit, endedAt } }: { section: LogSection }) {
  if (endedAt === null)
    return (
      <span className={css['live']} role="img" aria-label="running">
        <LoaderCircle {...small} />
      </span>
    )
  if (kind === 'step' || exit === null) return <span className={css['none']}>·</span>
  return exit === 0 ? (
    <span className={css['ok']} role="img" aria-label="passed">
      <Check {...small} />
    </span>
  ) : (
    <span className={css['bad']} role="img" aria-label={`exit ${exit}`}>
      <X {...small} />
    </span>
  )
}

const LENGTH = 80

/** Tells one call of a tool from another: its command, or its file. Empty if it has neither. */
export const callDetail = ({ kind, command }: Pick<LogSection, 'kind' | 'command'>): string =>
  kind !== 'call' || command === null ? '' : detailOf(command).slice(0, LENGTH)
