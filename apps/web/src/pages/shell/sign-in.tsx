import type { MeView } from '@beadloom/core/api/people/people-api.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import css from './sign-in.module.css'
import { ApiFailure } from '../../api/client.ts'
import { getMe, signIn } from '../../api/me.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { useSending } from '../../ui/use-sending.ts'

/** Signs in again without leaving the page. */
export function SignIn() {
  const known = useQueryClient().getQueryData<MeView>(['me'])
  // The server's answer says how its people sign in.
  const { error } = useQuery({ queryKey: ['signed-out'], queryFn: ({ signal }) => getMe(signal), retry: false })
  const way = wayIn(error)
  const id = useId()
  const [token, setToken] = useState('')
  const { busy, problem, setProblem, send } = useSending()
  // If people sign in elsewhere, the server redirects there from any page.
  if (way === null ? known?.people : way !== 'token')
    return (
      <Button
        look="primary"
        onClick={() => (way === 'oidc' ? location.assign(`/sign-in?to=${here()}`) : location.reload())}
      >
        Sign in again
      </Button>
    )
  return (
    <>
      <p>
        Paste the link with <code>?token=…</code> that the server printed when it started;{' '}
        <code>npx beadloom status</code> prints it again.
      </p>
      <form
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void send(async () => {
            if (await signIn(token)) location.reload()
            else setProblem('This token is wrong, or belongs to another server.')
          })
        }}
      >
        <label htmlFor={id} className="visually-hidden">
          Link or token
        </label>
        <input
          id={id}
          type="password"
          autoComplete="current-password"
          placeholder="Link or token"
          maxLength={2_000}
          value={token}
          aria-invalid={problem !== null || undefined}
          aria-describedby={`${id}-problem`}
          onChange={({ target }) => {
            setToken(target.value)
            setProblem(null)
          }}
        />
        <Button
          look="primary"
          type="submit"
          busy={busy}
          blockedBy={token.trim() === '' ? 'paste the link or the token first' : null}
        >
          Sign in
        </Button>
      </form>
      <p id={`${id}-problem`} className={css['problem']} role="alert">
        {problem !== null && shown(problem)}
      </p>
    </>
  )
}

const here = () => encodeURIComponent(`${location.pathname}${location.search}`)

/** Null: the server has not said how. */
function wayIn(error: Error | null): string | null {
  if (!(error instanceof ApiFailure) || error.status !== 401) return null
  const details = error.details as { signIn?: unknown } | undefined
  return typeof details?.signIn === 'string' ? details.signIn : null
}
