import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serverFilePath, type ServerFile } from '../health/server-file.ts'
import { Tickets } from '../http/access/tickets.ts'
import { apiRoutes } from '../api/api-routes.ts'
import { projectOf } from '../api/people/project-of.ts'
import { createHttp } from '../http/http.ts'
import { listen } from '../process/listen.ts'
import { ownNetwork, refuseNeighbours } from '../process/neighbours.ts'
import { fromProxies, SECRET_VARIABLE, type PeopleSettings } from '../process/settings/people-settings.ts'
import { readPlainFile } from '../process/plain-file.ts'
import type { Clock } from '../process/clock.ts'
import type { SignInProvider } from '../ports/sign-in.ts'
import { ConfigError } from '@beadloom/core/settings/config-error.ts'
import { root } from '../process/own-files.ts'
import { createStream, type Stream } from '../stream/stream.ts'
import { EVERY_ADDRESS, type Environment } from '../process/settings/settings.ts'
import type { Answers } from './answers.ts'
import type { Parts } from './parts.ts'
import { VERSION, type Place } from './place.ts'
import { inUrl, servedNames } from './served-names.ts'

/** Loads the provider's library only if there is a provider. */
async function signInProvider(
  people: PeopleSettings | null,
  env: Environment,
  clock: Clock,
): Promise<SignInProvider | null> {
  if (!people?.oidc) return null
  const { clientSecretFile: file } = people.oidc
  const { createOidc } = await import('../people/oidc.ts')
  return createOidc({
    settings: people.oidc,
    secret: file === null ? env[SECRET_VARIABLE]?.trim() || null : await secretIn(file),
    redirectUri: `${people.address}/sign-in/callback`,
    signedOutUri: `${people.address}/signed-out`,
    now: () => clock.now(),
  })
}

const LONGEST_SECRET = 4096

async function secretIn(file: string): Promise<string> {
  let text: string
  try {
    text = (await readPlainFile(file, LONGEST_SECRET)).trim()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigError('configuration', [
      `config.json: "people.oidc.clientSecretFile": ${file} cannot be read: ${why}`,
    ])
  }
  if (text === '')
    throw new ConfigError('configuration', [`config.json: "people.oidc.clientSecretFile": ${file} is empty`])
  return text
}

export type Serving = { url: string; stream: Stream }

/** Listens, and writes the address to `server.json` in the data folder, for the command line. */
export async function serve(
  { settings, env, log, clock, teardown, connections }: Place,
  { store, patient, recording }: Parts,
  { api, views }: Answers,
  token: string,
): Promise<Serving> {
  // The dashboard is opened from the other side of a published port of this machine.
  const host = settings.host === EVERY_ADDRESS ? '127.0.0.1' : settings.host
  const { people } = settings
  const own = settings.host === EVERY_ADDRESS ? ownNetwork().addresses.map(({ address }) => address) : []
  const named = (port: number) => servedNames(port, host, people?.address ?? null, own)
  let allowed = named(settings.port)
  const tickets = new Tickets(clock)
  const http = createHttp({
    routes: apiRoutes({ ...api, tickets, token }, VERSION),
    tickets,
    clock,
    database: store,
    keys: store,
    actions: { ...patient, beginAction: store.beginAction },
    chain: store,
    chainLater: patient,
    projectOf: projectOf(store),
    peopleSettings: people,
    provider: await signInProvider(people, env, clock),
    signIns: store,
    token,
    hosts: () => allowed.hosts,
    origins: () => allowed.origins,
    bounds: connections,
    dashboardFolder: join(root, 'apps', 'web', 'dist'),
    report: (error, where) => log.error({ error, where }, 'a request met a bug of ours'),
  })
  const stream = createStream({
    feed: store,
    views,
    logs: recording.logs,
    clock,
    admit: http.access.admit,
    build: VERSION,
    report: (error) => log.error({ error }, 'the stream met a bug of ours'),
  })
  http.server.on('upgrade', stream.upgrade)

  if (settings.host === EVERY_ADDRESS) refuseNeighbours(http.server, fromProxies(people?.proxies ?? []))
  const port = await listen(http.server, settings)
  allowed = named(port)
  teardown.add('http', () => http.close())
  teardown.add('stream', () => stream.close())
  const url = `http://${inUrl(host)}:${port}`
  const file = serverFilePath(settings.data)
  // Renamed into place as a whole: we never write into an existing file, and never wait for a pipe.
  const part = `${file}.part`
  await rm(part, { force: true })
  await writeFile(part, JSON.stringify({ url, pid: process.pid } satisfies ServerFile), { mode: 0o600, flag: 'wx' })
  await rename(part, file)
  teardown.add('server file', () => rm(file, { force: true }))
  return { url, stream }
}
