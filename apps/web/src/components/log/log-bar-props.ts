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
  /** The bar is as narrow as a phone: one row, with a menu for the rest. */
  narrow: boolean
  download: boolean
  onDownload: (open: boolean) => void
  /** Called when the person leaves the field. */
  onDone: () => void
  /** Shown before the field. */
  lead?: ReactNode
  /** Other content of the bar. */
  children: ReactNode
}
