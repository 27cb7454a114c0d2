import type { ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { ExtraSlots, ProjectSlots } from './extra-slots.ts'
import { orAborted } from '../process/within.ts'

/** Holds a slot that it may lend: a session with a call that is held, or an execution between two steps. */
type Holder = SessionId | ExecutionId

/** The slot of one of them. */
export type LentSlot = {
  readonly isLent: boolean
  /** Others may have it from now on. */
  lend: () => void
  /** Resolves once the session has a slot again, or the wait is given up. `waits` is called if none is free. */
  back: (signal: AbortSignal, waits: () => void) => Promise<void>
  /** The call is over. After the session's last one it has its slot in any case. */
  over: () => void
}

type Session = { slots: ProjectSlots; calls: number; lent: boolean; coming: Promise<void> | null }

/**
 * Lends the slots of sessions that wait for a person and so do nothing. Their containers still have their memory: only
 * as many sessions as there are slots lend theirs at a time, and those after them keep their own. A session that may
 * continue comes before everything that is queued, and waits until a slot is free. A session that ends instead waits
 * for nothing: its work is saved at once.
 */
export class LentSlots {
  readonly #slots: ExtraSlots
  readonly #sessions = new Map<Holder, Session>()

  constructor(slots: ExtraSlots) {
    this.#slots = slots
  }

  /** The slot for one held call, or one held step. */
  of(id: Holder, project: ProjectId): LentSlot {
    const known = this.#sessions.get(id)
    const session = known ?? { slots: this.#slots.of(project), calls: 0, lent: false, coming: null }
    session.calls += 1
    this.#sessions.set(id, session)
    return {
      get isLent() {
        return session.lent
      },
      lend: () => this.#lend(session),
      back: async (signal, waits) => {
        session.coming ??= this.#comeBack(session, waits).finally(() => (session.coming = null))
        await orAborted(signal, session.coming)
      },
      over: () => {
        session.calls -= 1
        if (session.calls > 0) return
        this.#sessions.delete(id)
        if (session.lent) session.slots.hold(1)
        session.lent = false
      },
    }
  }

  #lend(session: Session): void {
    const { engine } = session.slots
    const lent = [...this.#sessions.values()].filter((one) => one.lent && one.slots.engine === engine).length
    if (session.lent || lent >= session.slots.total) return
    session.lent = true
    session.slots.giveBack(1)
  }

  async #comeBack(session: Session, waits: () => void): Promise<void> {
    const { slots } = session
    slots.reserve()
    for (let told = false; session.lent; told = true) {
      if (slots.takeReserved()) {
        session.lent = false
        return
      }
      if (!told) waits()
      await slots.afterRound()
    }
    slots.unreserve()
  }
}
