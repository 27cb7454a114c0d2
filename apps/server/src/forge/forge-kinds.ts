import type { ForgeKind } from '../ports/forge.ts'

export type KindOfForge = {
  /** As people call it. */
  name: string
  /** Its word for a pull request. */
  pull: string
  /** Where the API is, below the address of its pages. */
  api: (web: string) => string
  /** What a token has to be allowed, as a part of a sentence. */
  permission: string
  /** A repository's path has exactly two parts; else two or more. */
  twoParts: boolean
  /** Path of one pull request, below the repository's page. */
  page: (number: number) => string
  /** Path of the form for a new one. */
  compare: (base: string, head: string) => string
}

/** A branch's name within a path: its slashes stay. */
const inPath = (branch: string): string => branch.split('/').map(encodeURIComponent).join('/')

export const kindsOfForges: Readonly<Record<ForgeKind, KindOfForge>> = {
  github: {
    name: 'GitHub',
    pull: 'pull request',
    api: gitHubApi,
    permission:
      'fine-grained with "Pull requests: Read and write" and "Contents: Read" for this repository, or classic with the scope "repo"',
    twoParts: true,
    page: (number) => `/pull/${number}`,
    compare: (base, head) => `/compare/${inPath(base)}...${inPath(head)}?expand=1`,
  },
  gitlab: {
    name: 'GitLab',
    pull: 'merge request',
    api: (web) => `${web}/api/v4`,
    permission: 'with the scope "api", of somebody who is at least Developer in this project',
    twoParts: false,
    page: (number) => `/-/merge_requests/${number}`,
    compare: (base, head) => {
      const query = new URLSearchParams({
        'merge_request[source_branch]': head,
        'merge_request[target_branch]': base,
      })
      return `/-/merge_requests/new?${query}`
    },
  },
  gitea: {
    name: 'Gitea',
    pull: 'pull request',
    api: (web) => `${web}/api/v1`,
    permission:
      'with "repository: Read and Write", which is the scope write:repository, of somebody who may write to this repository',
    twoParts: true,
    page: (number) => `/pulls/${number}`,
    compare: (base, head) => `/compare/${inPath(base)}...${inPath(head)}`,
  },
}

/** github.com and the clouds of companies (NAME.ghe.com) have a host for it, GitHub Enterprise Server a path. */
function gitHubApi(web: string): string {
  const url = new URL(web)
  const ownHost = url.hostname === 'github.com' || url.hostname.endsWith('.ghe.com')
  return ownHost ? `https://api.${url.hostname}` : `${web}/api/v3`
}

export type KnownForge = { kind: ForgeKind; variables: readonly string[] }

/** Forges that need no configuration, and the variables whose token is for them and for nobody else. */
export const knownForges: ReadonlyMap<string, KnownForge> = new Map<string, KnownForge>([
  ['github.com', { kind: 'github', variables: ['GITHUB_TOKEN', 'GH_TOKEN'] }],
  ['gitlab.com', { kind: 'gitlab', variables: ['GITLAB_TOKEN'] }],
  ['codeberg.org', { kind: 'gitea', variables: ['GITEA_TOKEN'] }],
])

/** Other names of theirs, as for ssh where only port 443 is open. */
export const otherNames: ReadonlyMap<string, string> = new Map([
  ['www.github.com', 'github.com'],
  ['ssh.github.com', 'github.com'],
  ['www.gitlab.com', 'gitlab.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
])

/** Which forge a host likely is by its name alone, as in git.gitlab.example.org; null: it does not say. */
export function kindByName(host: string): ForgeKind | null {
  const known = knownForges.get(host)?.kind
  if (known) return known
  const name = host.replace(/:\d+$/, '').split('.')
  const has = (...words: string[]) => name.some((label) => words.includes(label))
  if (host.endsWith('.ghe.com') || has('github')) return 'github'
  if (has('gitlab')) return 'gitlab'
  return has('gitea', 'forgejo') ? 'gitea' : null
}
