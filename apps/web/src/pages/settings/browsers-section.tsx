import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import type { SignInView } from '@beadloom/core/api/people/sign-ins-api.ts'
import css from './settings-page.module.css'
import { endSignIn, getSignIns, signOut } from '../../api/sign-ins.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { agoText, exactText, sinceText } from '../../ui/text/time-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

/** Browsers that are signed in, each with a button to sign it out. */
export function BrowsersSection() {
  const client = useQueryClient()
  const key = ['sign-ins']
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => getSignIns(signal) })
  const { doing, send } = useSending(toastError)
  const items = query.data?.items ?? []
  const end = ({ id, here, browser }: SignInView) =>
    void send(async () => {
      if (here) return signOut()
      await endSignIn(id)
      await client.invalidateQueries({ queryKey: key })
      toast(`${shown(browser)} signed out`)
    }, String(id))
  return (
    <section id="browsers" className={css['section']} aria-labelledby="browsers-title">
      <h2 id="browsers-title">Signed-in browsers</h2>
      <p className={css['muted']}>
        Sign out browsers that you no longer use. A changed access token signs out all of them.
      </p>
      {query.error && query.data === undefined && (
        <p role="alert" className={css['problem']}>
          The browsers could not be loaded: {shown(query.error.message)}{' '}
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </p>
      )}
      <ul className={css['card']} aria-live="polite">
        {items.map((one) => (
          <Row
            key={one.id}
            browser={one}
            busy={doing === String(one.id)}
            blocked={doing !== null}
            onEnd={() => end(one)}
          />
        ))}
        {query.data !== undefined && items.length === 0 && (
          <li className={css['entry']}>
            <span className={css['what']}>No browser is signed in.</span>
          </li>
        )}
      </ul>
    </section>
  )
}

type RowProps = { browser: SignInView; busy: boolean; blocked: boolean; onEnd: () => void }

function Row({ browser: { name, by, browser, beganAt, usedAt, expiresAt, here }, busy, blocked, onEnd }: RowProps) {
  const now = useServerNow()
  const used = sinceText(Math.max(0, now - usedAt))
  return (
    <li className={css['entry']}>
      <span className={css[here ? 'ok' : 'muted']}>
        <MonitorSmartphone size={16} strokeWidth={1.5} aria-hidden /> {here ? 'this browser' : 'signed in'}
      </span>
      <span className={css['what']}>
        {shown(browser)}{' '}
        <span className={css['muted']}>{by === 'token' ? 'with the access token' : `as ${shown(name)}`}</span>
        <br />
        <span className={css['muted']}>
          Signed in <time title={exactText(beganAt)}>{sinceText(now - beganAt)}</time> · used{' '}
          <time title={exactText(usedAt)}>{used}</time> · ends{' '}
          <time title={exactText(expiresAt)}>in {agoText(Math.max(0, expiresAt - now))}</time>
        </span>
      </span>
      <span className={css['acts']}>
        <Button
          {...(!here && { needs: 'runner' as const })}
          busy={busy}
          blockedBy={blocked && !busy ? 'another one is being signed out' : null}
          onClick={onEnd}
          aria-label={here ? 'Sign out this browser' : `Sign out ${browser}, used ${used}`}
        >
          Sign out
        </Button>
      </span>
    </li>
  )
}
