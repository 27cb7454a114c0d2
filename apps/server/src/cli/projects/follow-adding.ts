import { addingText, withoutLogin, type AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { oneLiner } from '../terminal/terminal-text.ts'
import { NoServer } from '../../health/server-file.ts'

type Api = Pick<ApiClient, 'get' | 'send'>

export type FollowAdding = {
  api: Api
  source: string
  id: string | undefined
  base?: string | undefined
  /** Shows the current step; null: it is over. */
  tell: (text: string | null) => void
  /** Waits this long, in milliseconds. */
  sleep: (ms: number) => Promise<void>
  /** Aborts when the person no longer wants it. */
  stop: AbortSignal
}

const LOOK_MS = 400

/**
 * Adds a project, and shows the progress. A large repository can take longer than a request may: the connection is
 * lost, but the adding continues, and then we wait for the result.
 */
export async function followAdding({ api, source, id, base, tell, sleep, stop }: FollowAdding): Promise<ProjectView> {
  const body = { source, ...(id !== undefined && { id }), ...(base !== undefined && { base }) }
  let known: string | null = null
  let over = false
  let cancelled: Promise<unknown> | null = null
  const cancel = () =>
    (cancelled ??= known === null ? null : api.send('DELETE', `/api/adding/${segment(known)}`).catch(() => {}))
  const look = async (): Promise<boolean> => {
    const { items } = await api.get<Page<AddingView>>('/api/adding')
    const own = items.find((one) => (id === undefined ? one.source === withoutLogin(source) : one.project === id))
    if (own === undefined) return false
    known = own.project
    if (!over) tell(oneLiner(addingText(own)))
    if (stop.aborted) cancel()
    return true
  }
  const asked = api.send<ProjectView>('POST', '/api/projects', body).finally(() => (over = true))
  asked.catch(() => {}) // awaited below
  stop.addEventListener('abort', cancel, { once: true })
  try {
    for (await Promise.race([asked, sleep(LOOK_MS)]).catch(() => {}); !over;) {
      await look().catch(() => {}) // this is only progress; the request reports errors
      await Promise.race([asked, sleep(LOOK_MS)]).catch(() => {})
    }
    return await asked
  } catch (error) {
    if (!(error instanceof NoServer) || known === null) throw error
    over = false
    while (await look()) await sleep(LOOK_MS)
    return await api.get<ProjectView>(`/api/projects/${segment(known)}`)
  } finally {
    over = true
    tell(null)
    stop.removeEventListener('abort', cancel)
    await cancelled
  }
}
