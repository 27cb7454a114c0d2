import { withoutLogin, type AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { ApiFailure } from '../../api/client.ts'

export type FollowAdding = {
  source: string
  add: () => Promise<ProjectView>
  /** All projects that the server is adding. */
  adding: () => Promise<readonly AddingView[]>
  projects: () => Promise<readonly ProjectView[]>
  /** Shows the progress; null: there is none. */
  tell: (own: AddingView | null) => void
  /** Waits this long, in milliseconds. */
  wait: (ms: number) => Promise<unknown>
}

const LOOK_MS = 500
/** Looks that may fail one after the other: a network that changes is back within seconds. */
const MOST_FAILED = 20

/**
 * Adds a project, and shows the progress. A large repository can take longer than a request may: the connection breaks,
 * but the adding continues, and then we wait for the result.
 */
export async function followAdding({ source, add, adding, projects, tell, wait }: FollowAdding): Promise<ProjectView> {
  let isOver = false
  let id: string | undefined
  const look = async (): Promise<string | undefined> => {
    const own = (await adding()).find((one) => one.source === withoutLogin(source))
    if (!isOver) tell(own ?? null)
    id = own?.project ?? id
    return own?.project
  }
  const asked = add()
  const end = () => void (isOver = true)
  const answered = asked.then(end, end)
  try {
    for (await Promise.race([answered, wait(LOOK_MS)]); !isOver;) {
      await look().catch(() => {}) // this is only progress; the request reports errors
      await Promise.race([answered, wait(LOOK_MS)])
    }
    return await asked
  } catch (error) {
    if (!isBroken(error)) throw error
    isOver = false
    await untilGone(look, wait)
    if (id === undefined) throw error
    const added = (await projects()).find((project) => project.id === id)
    if (added === undefined) throw new Error(`${id} was not added. Try again to see why.`, { cause: error })
    return added
  } finally {
    isOver = true
    tell(null)
  }
}

async function untilGone(look: () => Promise<string | undefined>, wait: FollowAdding['wait']): Promise<void> {
  for (let failed = 0; ; await wait(LOOK_MS)) {
    try {
      if ((await look()) === undefined) return
      failed = 0
    } catch (error) {
      if (!isBroken(error) || ++failed > MOST_FAILED) throw error
    }
  }
}

/** No answer of the server: none at all, or a proxy's own. */
const isBroken = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 0 || error.status === 502 || error.status === 504)
