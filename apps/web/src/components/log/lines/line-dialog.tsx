import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { JsonTree } from './json-tree.tsx'
import css from './line-dialog.module.css'
import { copyText } from '../../../ui/clipboard.ts'
import { callText } from '../../../api/client.ts'
import { logTextUrl } from '../../../api/endpoints.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'

/** More would make the page slow; the link has the rest. */
const MOST_SHOWN = 200_000

/** The whole of one line: as a tree if it is JSON, otherwise as wrapped text. */
export function LineDialog({ session, line, onClose }: { session: string; line: number; onClose: () => void }) {
  const range = { from: line, to: line + 1 }
  const { data, error } = useQuery({
    queryKey: ['log-line', session, line],
    queryFn: ({ signal }) => callText(logTextUrl(session, range), signal),
    retry: false,
  })
  const text = data?.replace(/\r?\n$/, '') ?? ''
  const json = useMemo(() => jsonIn(text), [text])
  return (
    <Dialog title={`Line ${countText(line + 1)}`} onClose={onClose} wide>
      {error && <p role="alert">{error.message}</p>}
      {json ? (
        <div className={css['box']} role="group" tabIndex={0} aria-label="Line as a tree">
          {json.before !== '' && <p className={css['before']}>{shown(json.before)}</p>}
          <JsonTree value={json.value} />
        </div>
      ) : (
        <pre className={css['box']} role="group" tabIndex={0} aria-label="Whole line">
          {shown(text.slice(0, MOST_SHOWN)).replaceAll('\r', '␍')}
          {text.length > MOST_SHOWN && ` … +${countText(text.length - MOST_SHOWN)} characters`}
        </pre>
      )}
      <DialogActions>
        <a href={logTextUrl(session, range)} target="_blank" rel="noreferrer">
          Open as plain text
        </a>
        <Button
          onClick={() => void copyText(Promise.resolve(text)).then(() => toast('Line copied'), toastError)}
        >{`Copy (${countText(text.length)} characters)`}</Button>
      </DialogActions>
    </Dialog>
  )
}

type JsonIn = { before: string; value: object }

/** The JSON object or list at the end of a line, and the text before it ("› ", a time); null if there is none. */
export function jsonIn(text: string): JsonIn | null {
  const start = text.search(/[[{]/)
  if (start < 0 || start > 200 || !/[\]}]\s*$/.test(text)) return null
  try {
    const value = JSON.parse(text.slice(start)) as unknown
    if (typeof value === 'object' && value !== null) return { before: text.slice(0, start).trim(), value }
  } catch {
    // Not JSON, so it is shown as text.
  }
  return null
}
