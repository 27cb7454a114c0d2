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
  const adding = new Adding(api, { source, id }, tell, stop)
  const asked = api.send<ProjectView>('POST', '/api/projects', body)
  const answered = asked.then(adding.over, adding.over)
  try {
    for (await Promise.race([answered, sleep(LOOK_MS)]); !adding.isOver;) {
      await adding.look().catch(() => {}) // this is only progress; the request reports errors
      await Promise.race([answered, sleep(LOOK_MS)])
    }
    return await asked
  } catch (error) {
    const { project } = adding
    if (!(error instanceof NoServer) || project === null) throw error
    adding.isOver = false
    while (await adding.look()) await sleep(LOOK_MS)
    return await api.get<ProjectView>(`/api/projects/${segment(project)}`)
  } finally {
    adding.over()
    await adding.close()
  }
}

/** The server's adding of one project, as the person sees it and may cancel it. */
class Adding {
  /** Its name on the server; null: not known yet. */
  project: string | null = null
  /** Nobody needs its progress any more. */
  isOver = false
  readonly #api: Api
  readonly #of: Pick<FollowAdding, 'source' | 'id'>
  readonly #tell: FollowAdding['tell']
  readonly #stop: AbortSignal
  #cancelled: Promise<unknown> | null = null

  constructor(api: Api, of: Pick<FollowAdding, 'source' | 'id'>, tell: FollowAdding['tell'], stop: AbortSignal) {
    this.#api = api
    this.#of = of
    this.#tell = tell
    this.#stop = stop
    stop.addEventListener('abort', this.#cancel, { once: true })
  }

  readonly over = (): void => void (this.isOver = true)

  /** Shows the current step. False: the server does not add it, or not any more. */
  async look(): Promise<boolean> {
    const { source, id } = this.#of
    const { items } = await this.#api.get<Page<AddingView>>('/api/adding')
    const own = items.find((one) => (id === undefined ? one.source === withoutLogin(source) : one.project === id))
    if (own === undefined) return false
    this.project = own.project
    if (!this.isOver) this.#tell(oneLiner(addingText(own)))
    if (this.#stop.aborted) this.#cancel()
    return true
  }

  /** Waits for a cancel that is under way. */
  async close(): Promise<void> {
    this.#tell(null)
    this.#stop.removeEventListener('abort', this.#cancel)
    await this.#cancelled
  }

  readonly #cancel = (): void => {
    if (this.project === null) return
    this.#cancelled ??= this.#api.send('DELETE', `/api/adding/${segment(this.project)}`).catch(() => {})
  }
}
