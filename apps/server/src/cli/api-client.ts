import type { ApiError } from '@beadloom/core/api/api.ts'
import { CliError, Refused, exitCode } from './exit-code.ts'
import { NoServer, codeBehind, findServer, notRunning, wrongToken, type Connection } from '../health/server-file.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The HTTP API for the command line. A refusal becomes a `Refused` with the server's own sentence; a server that is not
 * running, or went away, a `NoServer`. The server is looked up for each request, so a restarted one is found on its new
 * port.
 */
export class ApiClient {
  readonly data: string

  constructor(data: string) {
    this.data = data
  }

  connection(): Promise<Connection> {
    return findServer(this.data)
  }

  get<T>(path: string): Promise<T> {
    return this.#json<T>('GET', path)
  }

  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body: unknown = {}): Promise<T> {
    return this.#json<T>(method, path, body)
  }

  /** The body, piece by piece as it arrives. */
  async *stream(path: string): AsyncGenerator<string> {
    const response = await this.#fetch('GET', path)
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    try {
      for await (const bytes of response.body ?? []) yield decoder.decode(bytes, { stream: true })
    } catch (error) {
      throw this.#lost(error)
    }
  }

  async #json<T>(method: Method, path: string, body?: unknown): Promise<T> {
    const response = await this.#fetch(method, path, body)
    const text = await this.#textOf(response)
    if (text === '') return null as T
    try {
      return JSON.parse(text) as T
    } catch {
      throw stranger(response.url)
    }
  }

  async #fetch(method: Method, path: string, body?: unknown): Promise<Response> {
    const { url, token } = await this.connection()
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : json) }
    let response: Response
    try {
      response = await fetch(new URL(path, url), {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
      })
    } catch (error) {
      throw this.#lost(error)
    }
    if (response.ok) return response
    if (response.status === 401) throw wrongToken(this.data, url)
    throw sentenceOf(await this.#textOf(response)) ?? stranger(url)
  }

  async #textOf(response: Response): Promise<string> {
    try {
      return await response.text()
    } catch (error) {
      throw this.#lost(error)
    }
  }

  /** Turns fetch's error into a `NoServer` if nobody listens, or the server went away. Any other is our bug. */
  #lost(error: unknown): unknown {
    if (!(error instanceof TypeError)) return error
    const code = codeBehind(error)
    if (code.endsWith('_TIMEOUT'))
      return new CliError(
        `the server on ${this.data} has not answered yet. It may still be working: try again in a while`,
      )
    return code === 'ECONNREFUSED'
      ? notRunning(this.data)
      : new NoServer(
          `the connection to the server on ${this.data} was lost. Check whether it is still running: beadloom status`,
        )
  }
}

const json = { 'content-type': 'application/json' }

const stranger = (url: string): CliError =>
  new CliError(
    `${new URL(url).origin} answers, but not as a Beadloom server of this version. Restart the server, with another --port if something else uses this one.`,
  )

function sentenceOf(text: string): CliError | null {
  try {
    const { error } = JSON.parse(text) as ApiError
    return typeof error.message === 'string' ? new Refused(String(error.code), error.message) : null
  } catch {
    return null
  }
}

/**
 * A name as one segment of a path. An empty one, `.` and `..` would make it another path: `secret remove library ..`
 * would remove the project. No encoding helps, because a URL counts `%2e%2e` as the same.
 */
export function segment(text: string): string {
  if (text === '' || text === '.' || text === '..')
    throw new CliError(`"${text}" is no id and no name. Names of projects: beadloom project list`, exitCode.usage)
  return encodeURIComponent(text)
}
