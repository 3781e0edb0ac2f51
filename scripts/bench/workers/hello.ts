import { Hono } from 'hono';

/** What everything is compared with: the same router in the same process, and nothing to do. */
export default new Hono().get('/', (context) => context.text('hello'));
