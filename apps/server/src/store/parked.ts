import type { ParkedModel, CooldownStore } from '../ports/store/cooldowns.ts'
import type { Writing } from './database/writer.ts'

/** Models that asked to be left alone; what is over goes with the next one that comes. */
export function parkedStore({ db, clock, write, changed }: Writing): CooldownStore {
  const put = db.prepare<[ParkedModel]>('REPLACE INTO parked_model (model, until, why) VALUES (@model, @until, @why)')
  const forget = db.prepare<[number]>('DELETE FROM parked_model WHERE until <= ?')
  const select = db.prepare<[], ParkedModel>('SELECT model, until, why FROM parked_model ORDER BY model')
  return {
    parkModel: (parked) =>
      write(() => {
        forget.run(clock.now())
        put.run(parked)
        changed('status', '', 'server')
      }),
    parkedModels: () => select.all(),
  }
}
