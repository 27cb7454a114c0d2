import type { ServiceClaim } from './found.ts'
import { commandWords } from '../services/command-words.ts'
import { readOptions } from '../services/health-options.ts'
import type { Services } from '../services/service-schema.ts'

/**
 * The settings of a service. `health` null: the image's own health check; without one, a running service counts as
 * ready.
 */
export type ServiceSettings = {
  name: string
  image: string
  env: Record<string, string>
  command: string[] | null
  health: string | null
  startTimeoutMs: number
  cpus: number
  memoryBytes: number
  processes: number
}

/** A database for tests, with room to spare. Each has its own. */
const usual = { startTimeoutMs: 60_000, cpus: 2, memoryBytes: 1024 ** 3, processes: 256 }

export const servicesIn = (services: Services): ServiceSettings[] =>
  Object.entries(services).map(([name, own]) => ({
    name: name.toLowerCase(),
    image: own.image,
    env: Object.fromEntries(Object.entries(own.env ?? {}).map(([key, value]) => [key, String(value)])),
    command: typeof own.command === 'string' ? commandWords(own.command) : (own.command ?? null),
    health: own.health ?? (own.options === undefined ? null : readOptions(own.options).health),
    startTimeoutMs: own.startTimeoutSeconds === undefined ? usual.startTimeoutMs : own.startTimeoutSeconds * 1000,
    cpus: own.cpus ?? usual.cpus,
    memoryBytes: own.memoryMb === undefined ? usual.memoryBytes : own.memoryMb * 1024 ** 2,
    processes: own.processes ?? usual.processes,
  }))

/** The services of a devcontainer's compose file. */
export const servicesFrom = (claims: readonly ServiceClaim[]): ServiceSettings[] =>
  claims.map(({ name, image, env, command = null, health }) => ({
    ...usual,
    name: name.toLowerCase(),
    image,
    env,
    command,
    health,
  }))

/** "postgres (postgres:17), healthy by pg_isready" */
export const serviceWords = ({ name, image, health }: ServiceSettings): string =>
  `${name} (${image})${health === null ? '' : `, ready when: ${health}`}`

/** The note for an agent, which would otherwise not find them, or start its own. Null: there are none. */
export const servicesNotice = (services: readonly ServiceSettings[]): string | null =>
  services.length === 0
    ? null
    : `These run beside you and are ready, at their names as hosts: ${services.map(({ name, image }) => `${name} (${image})`).join(', ')}. They are fresh, and the checks of your work have others.`
