import { tmpdir } from 'node:os'
import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { ForgeError } from '../ports/forge.ts'
import { systemClock } from '../process/clock.ts'
import type { Environment } from '../process/settings/settings.ts'

type Remote = { name: string; url: string }

/**
 * Checks where pull requests of this folder's repository would be opened. A missing token is fine: work is pushed
 * anyway.
 */
export async function checkForge(folder: string, data: string, env: Environment): Promise<Check> {
  const { allForges, forgeOfRemote } = await import('../forge/forge-settings.ts')
  const { kindsOfForges } = await import('../forge/forge-kinds.ts')
  const { remoteAddress } = await import('../forge/remote-address.ts')
  const sources = { data, env }
  try {
    const remote = await remoteHere(folder, env)
    if (remote === null) {
      const set = allForges(sources).filter(({ token }) => token !== null)
      const hosts = set.map(({ host }) => host).join(', ')
      const tokens = hosts === '' ? 'no forge token is set' : `tokens are set for ${hosts}`
      return { name: 'forge', ok: true, text: `no git remote here; ${tokens}` }
    }
    const address = remoteAddress(remote.url)
    const forge = address && forgeOfRemote(sources, address)
    if (!address || !forge) {
      const where = address ? `on ${address.hostname}, which is not a known forge` : 'a folder on this machine'
      const text = `${remote.name} is ${where}: work is pushed, but no pull request is opened`
      const fix = `if it is GitHub Enterprise, GitLab, Gitea or Forgejo, add it: beadloom forge add ${address?.hostname} --kind KIND`
      return { name: 'forge', ok: true, text, ...(address && { fix }) }
    }
    const where = `${remote.name} is ${address.path} on ${forge.host} (${kindsOfForges[forge.kind].name})`
    if (forge.token !== null) {
      const from = forge.tokenFrom === 'file' ? 'in forges.json' : `in ${forge.tokenFrom}`
      // A project added by its folder has that folder as its remote.
      const whose = 'pull requests of projects added by this URL are opened there'
      return { name: 'forge', ok: true, text: `${where}, with a token ${from}: ${whose}` }
    }
    const variable = forge.tokenFrom === null ? '' : ` (or set ${forge.tokenFrom} for the server)`
    const fix = `to get pull requests, set a token: beadloom forge add ${forge.host}${variable}`
    return { name: 'forge', ok: forge.problem === null, text: `${where}, ${forge.problem ?? 'without a token'}`, fix }
  } catch (error) {
    if (error instanceof ForgeError) return { name: 'forge', ok: false, text: error.message }
    throw error
  }
}

const SMALL_BYTES = 256 * 1024

/** `origin`, else the first remote; null without a remote, a repository or git. */
async function remoteHere(folder: string, env: Environment): Promise<Remote | null> {
  const { Git } = await import('../hub/git/git.ts')
  const { HubError } = await import('../ports/hub.ts')
  const { PATH: searchPath = '/usr/local/bin:/usr/bin:/bin' } = env
  const git = new Git({ binary: 'git', home: tmpdir(), searchPath, cwd: folder, clock: systemClock })
  try {
    const text = await git.text({
      args: ['config', '--null', '--get-regexp', String.raw`^remote\..*\.url$`],
      env: { GIT_CEILING_DIRECTORIES: '' }, // the folder may be below the repository's root
      answers: [1],
      limitBytes: SMALL_BYTES,
      timeoutMs: 10_000,
    })
    const remotes = text.split('\0').flatMap((entry) => {
      const at = entry.indexOf('\n')
      return at < 0 ? [] : [{ name: entry.slice('remote.'.length, at - '.url'.length), url: entry.slice(at + 1) }]
    })
    return remotes.find(({ name }) => name === 'origin') ?? remotes[0] ?? null
  } catch (error) {
    if (error instanceof HubError) return null
    throw error
  }
}
