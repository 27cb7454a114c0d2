import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import css from './settings-page.module.css'
import { testWebhooks } from '../../api/settings.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { toastError } from '../../ui/toast.tsx'

type Result = Awaited<ReturnType<typeof testWebhooks>>['items'][number]

/** Whether notices arrive where config.json sends them. Addresses are as good as passwords, so none is shown. */
export function WebhooksSection() {
  const [busy, setBusy] = useState(false)
  const [results, setResults] = useState<readonly Result[] | null>(null)
  const test = async () => {
    setBusy(true)
    try {
      setResults((await testWebhooks()).items)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section id="webhooks" className={css['section']} aria-labelledby="webhooks-title">
      <h2 id="webhooks-title">Webhooks</h2>
      <ul className={css['card']} aria-live="polite">
        <li className={css['entry']}>
          <span className={css['what']}>
            Told what needs you, failed, was merged or waits at a limit. They are named in <code>webhooks</code> of
            config.json, and read when the server starts.
          </span>
          <Button needs="admin" busy={busy} onClick={() => void test()}>
            Send a test
          </Button>
        </li>
        {results?.map(({ name, ok, text }) => (
          <li key={name} className={css['entry']}>
            <span className={ok ? css['ok'] : css['problem']}>
              {ok ? (
                <CircleCheck size={16} strokeWidth={1.5} aria-hidden />
              ) : (
                <CircleX size={16} strokeWidth={1.5} aria-hidden />
              )}{' '}
              {ok ? 'arrived' : 'failed'}
            </span>
            <span className={css['what']}>
              <code>{shown(name)}</code> {!ok && shown(text)}
            </span>
          </li>
        ))}
        {results?.length === 0 && (
          <li className={css['entry']}>
            <span className={css['what']}>No webhook is named in config.json.</span>
          </li>
        )}
      </ul>
    </section>
  )
}
