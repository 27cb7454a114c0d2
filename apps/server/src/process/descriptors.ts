import { readFileSync } from 'node:fs'

/** The most connections at a time. Each takes a file descriptor; without one, the server crashes or accepts nobody. */
export type ConnectionBounds = {
  /** For each container with its link. */
  perContainer: number
  /** For browsers and other clients of the API, all together. */
  clients: number
  /** The most clients that may lack a proof of access. */
  strangers: number
}

/** Upper limits, however many files the server may open. The agents that Beadloom knows use ten at most. */
const MOST: ConnectionBounds = { perContainer: 32, clients: 512, strangers: 256 }
/** Fewer would be useless, so files may run out below this; a call that then fails says so and is tried again. */
const LEAST: ConnectionBounds = { perContainer: 8, clients: 24, strangers: 16 }

/** Database, sockets, logs, Docker and git, idle and at work, without connections. */
const OWN_FILES = 64
/** A slot's files: two links, streams of Docker, logs, calls to models, and gits with three pipes each. */
const FILES_PER_SLOT = 48
/** An agent's container stays while another one verifies its work. */
const LINKS_PER_SLOT = 2

/** Open files that a server needs for enough connections; with fewer, it works with fewer connections. */
export const comfortableFiles = (slots: number): number =>
  OWN_FILES + slots * (FILES_PER_SLOT + LINKS_PER_SLOT * 16) + 64

/** Divides the remaining files: a third for people, the rest for containers. */
export function connectionBounds(openFiles: number, slots: number): ConnectionBounds {
  const left = Math.max(0, openFiles - OWN_FILES - slots * FILES_PER_SLOT)
  const clients = between(LEAST.clients, Math.floor(left / 3), MOST.clients)
  const forLinks = Math.floor((left - clients) / (slots * LINKS_PER_SLOT))
  return {
    perContainer: between(LEAST.perContainer, forLinks, MOST.perContainer),
    clients,
    strangers: between(LEAST.strangers, Math.floor(clients / 2), MOST.strangers),
  }
}

const between = (least: number, wanted: number, most: number): number => Math.max(least, Math.min(wanted, most))

/**
 * The most files that this process may open; Node has raised that to the hard limit. Infinite if the system does not
 * say.
 */
export function openFileLimit(limits: () => string = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const soft = /^Max open files +(\d+|unlimited)/m.exec(limits())?.[1]
    return soft === undefined || soft === 'unlimited' ? Infinity : Number(soft)
  } catch {
    return Infinity // no Linux
  }
}
