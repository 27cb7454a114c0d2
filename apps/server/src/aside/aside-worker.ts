import { answerOrders } from './answer-orders.ts'
import { Readings } from './orders.ts'

answerOrders(new Readings().answer)
