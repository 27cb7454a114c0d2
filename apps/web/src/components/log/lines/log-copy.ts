import { callText } from '../../../api/client.ts'
import { logTextUrl } from '../../../api/endpoints.ts'
import { toast, toastError } from '../../../ui/toast.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import type { Lines } from './line-selection.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

export type CopyForm = 'plain' | 'numbers' | 'ansi'

/** Lines as text, from the server: a selection may exceed the lines in memory. */
export async function textOf(session: string, { first, last }: Lines, form: CopyForm): Promise<string> {
  const url = logTextUrl(session, { ansi: form === 'ansi', from: first, to: last + 1 })
  const text = await callText(url, AbortSignal.timeout(COPY_LIMIT_MS))
  return form === 'numbers' ? numbered(text, first) : text
}

const COPY_LIMIT_MS = 60_000

/** `  10233  text`, as in the pane. */
export function numbered(text: string, first: number): string {
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n')
  const width = String(first + lines.length).length
  return lines.map((line, at) => `${String(first + at + 1).padStart(width)}  ${line}\n`).join('')
}

/** Copies lines, and says so. */
export function copyLines(session: string, lines: Lines, form: CopyForm): void {
  const count = lines.last - lines.first + 1
  void copyText(textOf(session, lines, form)).then(() => toast(`${counted(count, 'line')} copied`), toastError)
}
