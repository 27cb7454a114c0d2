import type { ReactNode, RefObject } from 'react'
import type { LogErrors } from './find/use-log-errors.ts'
import type { LogFind } from './find/use-log-find.ts'
import type { ViewChoices } from './view-choices.ts'

export type LogBarProps = {
  session: string
  find: LogFind
  input: RefObject<HTMLInputElement | null>
  lines: number
  errors: LogErrors
  onError: (by: 1 | -1) => void
  choices: ViewChoices
  onChoice: (choice: keyof ViewChoices) => void
  /** As narrow as a phone: one row, and a menu for what has no room in it. */
  narrow: boolean
  download: boolean
  onDownload: (open: boolean) => void
  /** The person has left the field. */
  onDone: () => void
  /** Before the field. */
  lead?: ReactNode
  /** More that belongs in the bar. */
  children: ReactNode
}
