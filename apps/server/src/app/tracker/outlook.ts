import { ignoring } from '@beadloom/core/bead/ignored.ts'
import { hiddenOnBoard } from '@beadloom/core/bead/ready.ts'
import { hasEnded } from '@beadloom/core/bead/waiting.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { TrackedBead } from '../../ports/store/beads.ts'
import type { TrackedStore } from '../../ports/tracker.ts'
import { isOutside, Provided, strangersIn } from './externals.ts'

const MOST_NAMED = 4
/** Begins the mark behind the fingerprint of a bead that is stored differently from its tracker's form. */
const MARKED = /[!+]/

/**
 * Beads of one project that are stored differently from its tracker's form: those that are not work are hidden
 * like wisps, because others may wait for them, and an edge to another project's capability says whether that capability
 * exists. Each taken bead updates the outlook, so a reading costs only its changes.
 */
export class Outlook {
  readonly #store: PatientStore
  readonly #project: ProjectId
  readonly #plain: TrackedStore
  #rules = ''
  #ruleFor: ReturnType<typeof ignoring> = () => null
  /** Unfinished beads that are left out, with the rule for it. */
  readonly #left = new Map<string, string>()
  /** Other projects' capabilities that beads need, each with those beads; true: that bead has not ended. */
  readonly #needs = new Map<string, { met: boolean; by: Map<BeadId, boolean> }>()
  readonly #needsOf = new Map<string, string[]>()
  /** Beads that are stored by earlier rules or capabilities: every reading looks at them, until one succeeds. */
  readonly #again = new Set<BeadId>()

  constructor(store: PatientStore, project: ProjectId, plain: TrackedStore) {
    this.#store = store
    this.#project = project
    this.#plain = plain
    for (const bead of store.beads(project)) this.#learnNeeds(bead, (target) => edgeIsMet(bead, target))
  }

  /** Begins a reading, with these rules and the current capabilities. */
  begin(rules: readonly string[]): TrackedStore {
    const provided = new Provided(this.#store)
    for (const id of [...this.#withOther(rules), ...this.#withOtherNeeds(provided)]) this.#again.add(id)
    const again = this.#again
    const plain = this.#plain
    return {
      ...plain,
      fingerprints: (ids) =>
        plain
          .fingerprints(ids)
          .map((print, at) => (again.has(ids[at] as BeadId) ? null : (print?.split(MARKED, 1)[0] ?? null))),
      unsettled: () => [...plain.unsettled(), ...again],
      take: (beads) =>
        plain.take(
          beads.map(({ bead, fingerprint }) => {
            const { seen, mark } = this.#learn(bead, provided)
            return { bead: seen, fingerprint: fingerprint === '' ? '' : fingerprint + mark }
          }),
        ),
      drop: (ids) => {
        for (const id of ids) this.#forget(id)
        return plain.drop(ids)
      },
    }
  }

  /** The reading that was begun last has succeeded. */
  settled(): void {
    this.#again.clear()
  }

  /** Whether another project's capability has come or gone since. It costs as much as those projects are large. */
  hasChanged(): boolean {
    const provided = new Provided(this.#store)
    return [...this.#needs].some(([target, { met }]) => provided.has(target) !== met)
  }

  get warnings(): string[] {
    return strangersIn(
      new Provided(this.#store),
      new Map(
        [...this.#needs].map(([target, { by }]) => [target, [...by].flatMap(([id, open]) => (open ? [id] : []))]),
      ),
    )
  }

  /** The number of beads that are left out, and why, as the end of a sentence; '' for none. */
  get left(): string {
    const counts = new Map<string, number>()
    for (const rule of this.#left.values()) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    if (counts.size === 0) return ''
    const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_NAMED)
    const named = most.map(([rule, count]) => `${count} by ${rule}`).join(', ')
    const more = counts.size > most.length ? ', …' : ''
    const who = this.#left.size === 1 ? '1 bead is' : `${this.#left.size} beads are`
    return `${who} left out as not being work (${named}${more}; "beads.ignore" in beadloom.json)`
  }

  #learn(bead: TrackedBead, provided: Provided): { seen: TrackedBead; mark: string } {
    this.#forget(bead.id)
    const rule = hiddenOnBoard(bead) ? null : this.#ruleFor(bead)
    if (rule !== null && !hasEnded(bead)) this.#left.set(bead.id, rule)
    const met = this.#learnNeeds(bead, (target) => provided.has(target))
    const dependencies = bead.dependencies.map((edge) =>
      isOutside(edge) && met.has(edge.dependsOn) ? { ...edge, met: true as const } : edge,
    )
    return {
      seen: { ...bead, ...(rule === null ? {} : { ephemeral: true }), dependencies },
      mark: `${rule === null ? '' : '!'}${[...met].map((target) => `+${target}`).join('')}`,
    }
  }

  /** Returns the capabilities that exist. */
  #learnNeeds(
    bead: Pick<TrackedBead, 'id' | 'dependencies' | 'status' | 'trackerStatus'>,
    isMet: (target: string) => boolean,
  ): Set<string> {
    const targets = new Set(bead.dependencies.filter(isOutside).map(({ dependsOn }) => dependsOn))
    for (const target of targets) {
      const need = this.#needs.get(target) ?? { met: isMet(target), by: new Map<BeadId, boolean>() }
      need.by.set(bead.id, !hasEnded(bead))
      this.#needs.set(target, need)
    }
    if (targets.size > 0) this.#needsOf.set(bead.id, [...targets])
    return new Set([...targets].filter((target) => this.#needs.get(target)?.met))
  }

  #forget(id: string): void {
    this.#left.delete(id)
    for (const target of this.#needsOf.get(id) ?? []) {
      const need = this.#needs.get(target)
      if (need?.by.delete(id as BeadId) && need.by.size === 0) this.#needs.delete(target)
    }
    this.#needsOf.delete(id)
  }

  /** Beads for which these rules differ from the last ones; the first time, all that the rules leave out. */
  #withOther(rules: readonly string[]): BeadId[] {
    const text = JSON.stringify(rules)
    if (text === this.#rules) return []
    const before = this.#ruleFor
    const isFirst = this.#rules === ''
    this.#rules = text
    this.#ruleFor = ignoring(rules)
    return this.#store.beads(this.#project).flatMap((bead) => {
      const rule = this.#ruleFor(bead)
      const was = isFirst ? null : before(bead)
      return rule === was ? (isFirst && bead.ephemeral ? [bead.id] : []) : [bead.id]
    })
  }

  #withOtherNeeds(provided: Provided): BeadId[] {
    return [...this.#needs].flatMap(([target, need]) => {
      const met = provided.has(target)
      if (met === need.met) return []
      need.met = met
      return [...need.by.keys()]
    })
  }
}

const edgeIsMet = ({ dependencies }: Pick<TrackedBead, 'dependencies'>, target: string): boolean =>
  dependencies.some((edge) => edge.dependsOn === target && edge.met === true)
