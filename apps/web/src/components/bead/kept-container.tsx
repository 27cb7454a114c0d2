import type { KeptContainer } from '@beadloom/core/api/executions/container-api.ts'
import { asSentence } from '@beadloom/core/text/sentence.ts'
import { useState } from 'react'
import css from './kept-container.module.css'
import { discardContainer, pressKey, saveContainer } from '../../api/endpoints.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { agoText, inText } from '../../ui/text/time-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

/** A container kept because it may hold unsaved work: since when, why, how large, and what a person can do. */
export function KeptContainerNote({ kept, onChange }: { kept: KeptContainer; onChange?: () => void }) {
  const now = useServerNow()
  const { busy, send } = useSending(toastError)
  const [asking, setAsking] = useState(false)
  const { name, since, why, bytes, nextTryAt } = kept
  const act = async (work: () => Promise<string>) => {
    await send(async () => toast(await work()))
    setAsking(false)
    onChange?.()
  }
  const save = () =>
    act(async () => {
      const { saved } = await saveContainer(name, pressKey())
      return saved === null ? 'There was nothing left to save' : `Saved on ${saved}`
    })
  const discard = () => act(() => discardContainer(name).then(() => 'Discarded'))
  return (
    <>
      <p className="live-number">
        Container <code>{shown(name)}</code> has held unsaved work{bytes === null ? '' : ` (${bytesText(bytes)})`} for{' '}
        {agoText(now - since)}. {shown(asSentence(why))}
        {nextTryAt !== null && nextTryAt > now ? ` Saving is tried again ${inText(nextTryAt - now)}.` : ''}
      </p>
      <div className={css['buttons']}>
        <Button needs="runner" busy={busy} onClick={() => void save()}>
          Save now
        </Button>
        <Button needs="admin" onClick={() => setAsking(true)}>
          Discard…
        </Button>
      </div>
      {asking && (
        <Dialog title="Discard unsaved work?" onClose={() => setAsking(false)}>
          <p>
            The container <code>{shown(name)}</code> is removed with everything in it. This cannot be undone.
          </p>
          <DialogActions>
            <Button data-first onClick={() => setAsking(false)}>
              Keep it
            </Button>
            <Button look="danger" busy={busy} onClick={() => void discard()}>
              Discard
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}
