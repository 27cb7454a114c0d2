/**
 * The server cannot be reached, or answers only with trouble of its own: neither the agent nor its work is at fault.
 */
export class NoLink extends Error {
  override name = 'NoLink'
}
