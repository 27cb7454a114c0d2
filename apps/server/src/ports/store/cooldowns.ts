/** A model that asked to be left alone for a while. `model` is "NAME at ENDPOINT"; `until` is milliseconds UTC. */
export type Cooldown = { model: string; until: number; why: string }

/** Cooldowns outlast the server, so that one that starts again does not ask a model too early. */
export interface CooldownStore {
  /** Replaces an earlier one of the same model. Cooldowns that are over are dropped. */
  addCooldown(cooldown: Cooldown): void
  cooldowns(): Cooldown[]
}

/** The same, but adding one may wait for the database; a plain `CooldownStore` is one too. */
export type WaitingCooldowns = Pick<CooldownStore, 'cooldowns'> & {
  addCooldown(cooldown: Cooldown): unknown
}
