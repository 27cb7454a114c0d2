/** Where pull requests are opened: GitHub, GitLab and Gitea (Forgejo too), by their HTTP APIs. */
export interface Forges {
  /**
   * Which repository of which forge a remote is; null: no known forge (a folder, an unknown host). No network. Throws
   * ForgeError `no-token` where the file of tokens cannot be used.
   */
  repositoryOf(source: string): Promise<ForgeRepository | null>
  /** The page on which a person opens the pull request by hand. */
  compareUrl(repository: ForgeRepository, base: string, head: string): string
  /**
   * The open pull request from `head` into `base`, or a new one. Asking twice opens one: what is open already is found
   * first and its text brought up to date; those that ask at the same time are served one after the other. What goes
   * wrong is a `ForgeError`, an aborted signal is thrown as its own reason; calls are bounded in time and size.
   */
  open(repository: ForgeRepository, request: NewPullRequest, signal?: AbortSignal): Promise<OpenedPullRequest>
}

export type ForgeKind = 'github' | 'gitlab' | 'gitea'

/** `path` is `owner/name` (GitLab: with its groups). `hasToken`: one was set for this host, on the server. */
export type ForgeRepository = { kind: ForgeKind; host: string; path: string; hasToken: boolean }

/** Branch names without `refs/heads/`; both are in the remote already. `body` is Markdown. */
export type NewPullRequest = { head: string; base: string; title: string; body: string }

/** `existed`: it was open before. */
export type OpenedPullRequest = { url: string; number: number; existed: boolean }

/**
 * - `no-token`: there is no token for this host.
 * - `unauthorized` (401), `forbidden` (403), `not-found` (404), `refused` (422 and its like): a person acts.
 * - `unavailable` (5xx, no answer, a limit that passes): later may be better; `retryAt` in ms UTC where the forge says.
 * - `bad-answer`: something answered that is no forge.
 */
export type ForgeErrorKind =
  | 'no-token'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'refused'
  | 'unavailable'
  | 'bad-answer'

/** `message` says what to do, and never holds a token. */
export class ForgeError extends Error {
  override name = 'ForgeError'
  readonly kind: ForgeErrorKind
  readonly retryAt: number | null
  constructor(kind: ForgeErrorKind, message: string, options?: ErrorOptions & { retryAt?: number | null }) {
    super(message, options)
    this.kind = kind
    this.retryAt = options?.retryAt ?? null
  }
}
