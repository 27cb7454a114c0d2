/** A model that asked to be left alone for a while. `model` is "NAME at ENDPOINT"; `until` is milliseconds UTC. */
export type ParkedModel = { model: string; until: number; why: string }

/** Kept, so that a server that starts again does not ask before the time. */
export interface CooldownStore {
  parkModel(parked: ParkedModel): void
  parkedModels(): ParkedModel[]
}
