import { plainName } from '@beadloom/core/gateway/walk.ts'

/** The APIs that are served, named after their paths. `count` is `/v1/messages/count_tokens`. */
export type Dialect = 'chat' | 'responses' | 'messages' | 'count'

export type Route =
  | { to: 'models' }
  | { to: 'model'; dialect: Dialect; path: string; dropped: readonly string[] }
  | { to: 'nowhere'; status: 404 | 405; why: string }

const paths: Record<string, Dialect> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
  '/v1/messages/count_tokens': 'count',
}

/**
 * Reads a request's route. `path` is the part after `/v1`, with the one query parameter that callers really send;
 * `dropped` names the others.
 */
export function routeOf(method: string | undefined, url: string | undefined): Route {
  const [path = '', query = ''] = (url ?? '').split('?', 2)
  if (path === '/v1/models') return method === 'GET' ? { to: 'models' } : wrongMethod(path, 'GET')
  const dialect = Object.hasOwn(paths, path) ? paths[path] : undefined
  if (!dialect) {
    const known = ['/v1/models', ...Object.keys(paths)].join(', ')
    return { to: 'nowhere', status: 404, why: `is for a path that is not served here; these are: ${known}` }
  }
  if (method !== 'POST') return wrongMethod(path, 'POST')
  const asked = new URLSearchParams(query)
  const isBeta = asked.get('beta') === 'true' && (dialect === 'messages' || dialect === 'count')
  const dropped = [...new Set(asked.keys())].filter((name) => !(isBeta && name === 'beta'))
  const named = dropped.slice(0, MOST_NAMED).map((name) => plainName(`query ${name}`))
  return { to: 'model', dialect, path: path.slice('/v1'.length) + (isBeta ? '?beta=true' : ''), dropped: named }
}

const MOST_NAMED = 20

const wrongMethod = (path: string, method: string): Route => ({
  to: 'nowhere',
  status: 405,
  why: `has the wrong method: ${path} takes ${method}`,
})
