import type { SignInsView } from '@beadloom/core/api/people/sign-ins-api.ts'
import { call, send } from './client.ts'
import { keepPageValue } from './page-value.ts'

export const getSignIns = (signal: AbortSignal) => call<SignInsView>('/api/sign-ins', { signal })
export const endSignIn = (id: number) => call<unknown>(`/api/sign-ins/${id}`, { method: 'DELETE' })

/** Signs this browser out and leaves. The server says where to: a provider may have to end its own session. */
export async function signOut(): Promise<void> {
  const answer = await send('/sign-out', { method: 'POST', repeatable: true })
  const { next } = (await answer.json()) as { next: string }
  keepPageValue(null)
  location.assign(next)
}

/** Saves the answer of an API address as a file: the browser requests it itself, and cannot send a header along. */
export async function saveFile(path: string): Promise<void> {
  const { url } = await call<{ url: string }>(`/api/ticket?for=${encodeURIComponent(path)}`)
  location.assign(url)
}
