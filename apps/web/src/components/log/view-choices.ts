import { useState } from 'react'
import { setUtc, utcStore } from '../../ui/time-zone.ts'

/** How logs are shown: one choice for all of them, kept over a reload. */
export type ViewChoices = {
  wrap: boolean
  /** Without the program's colours. */
  plain: boolean
  /** With what a carriage return has overwritten. */
  raw: boolean
  foldFinished: boolean
  /** Beside each line when it came. */
  times: boolean
  /** Times by UTC, not by the clock of this computer. */
  utc: boolean
}

/** `utc` is not only the log's. */
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
  const [choices, setChoices] = useState<ViewChoices>(() => ({
    wrap: stored('wrap'),
    plain: stored('plain'),
    raw: stored('raw'),
    foldFinished: stored('foldFinished'),
    times: stored('times'),
    utc: utcStore.getState().utc,
  }))
  const toggle = (choice: keyof ViewChoices) => {
    if (choice === 'utc') setUtc(!choices.utc)
    else remember(choice, !choices[choice])
    setChoices({ ...choices, [choice]: !choices[choice] })
  }
  return [choices, toggle]
}
