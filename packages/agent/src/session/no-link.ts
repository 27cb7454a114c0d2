/** The server cannot be reached, or only its own trouble answers: neither the agent nor what it works on is at fault. */
export class NoLink extends Error {
  override name = 'NoLink'
}
