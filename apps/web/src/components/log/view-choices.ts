import { useMemo, useState } from 'react'
import { setUtc, useUtc } from '../../ui/text/time-zone.ts'

/** The display of logs: one choice for all of them, kept across reloads. */
export type ViewChoices = {
  wrap: boolean
  /** Without the program's colours. */
  plain: boolean
  /** With text that a carriage return has overwritten. */
  raw: boolean
  foldFinished: boolean
  /** With the time of each line beside it. */
  times: boolean
  /** Times in UTC instead of by this computer's clock. */
  utc: boolean
}

/** `utc` is a choice for all pages, not only for logs. */
type Own = Exclude<keyof ViewChoices, 'utc'>
const keys: Record<Own, string> = {
  wrap: 'beadloom.wrap',
  plain: 'beadloom.log-plain',
  raw: 'beadloom.log-raw',
  foldFinished: 'beadloom.log-fold-finished',
  times: 'beadloom.log-times',
}

function stored(choice: Own): boolean {
  try {
    return localStorage.getItem(keys[choice]) === 'on'
  } catch {
    return false
  }
}

function remember(choice: Own, on: boolean): void {
  try {
    if (on) localStorage.setItem(keys[choice], 'on')
    else localStorage.removeItem(keys[choice])
  } catch {
    // Without storage the choice lasts as long as the pane.
  }
}

export function useViewChoices(): [ViewChoices, (choice: keyof ViewChoices) => void] {
  const [own, setOwn] = useState<Record<Own, boolean>>(() => ({
    wrap: stored('wrap'),
    plain: stored('plain'),
    raw: stored('raw'),
    foldFinished: stored('foldFinished'),
    times: stored('times'),
  }))
  const utc = useUtc()
  const toggle = (choice: keyof ViewChoices) => {
    if (choice === 'utc') return setUtc(!utc)
    remember(choice, !own[choice])
    setOwn({ ...own, [choice]: !own[choice] })
  }
  return [useMemo(() => ({ ...own, utc }), [own, utc]), toggle]
}
