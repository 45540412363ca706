'use strict';
// Each test is given what it needs and throws where something is wrong; test_node.py runs one at a time.
const assert = require('assert');
const fs = require('fs');
const { CatmouseError, Client } = require('catmouse');

const graph = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]];
const grid = { grid: ['####F', '#C...', 'M....'], catJump: 1, mouseJump: 2 };
// What the daemon that test_node.py starts for some tests never solves.
const slow = Array.from({ length: 2000 }, (_, u) => [u - 1, u + 1].filter((v) => v >= 0 && v < 2000));

// It has let go of its socket by then, whether or not its parent has heard of its end.
async function ended(pid) {
  while (fs.existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'))) {
    await new Promise(setImmediate);
  }
}

const tests = {
  async both_games() {
    const client = new Client();
    const [solvedGraph, solvedGrid] = await Promise.all([client.solve({ graph }), client.solve(grid)]);
    assert.strictEqual(solvedGraph.start.outcome, 'draw');
    assert.deepStrictEqual(solvedGrid.start, { state: { mouse: 10, cat: 6, turn: 'mouse' }, outcome: 'mouse', plies: 5 });
  },

  async many_at_a_time() {
    const client = new Client();
    const solved = await client.solve(grid);
    const answers = await Promise.all(Array.from({ length: 200 }, () => client.query(solved)));
    assert(answers.every(({ best, cols }) => best === 12 && cols === 5));
    assert.strictEqual((await client.query(solved.id, solved.start.state, { limit: 4 })).outcome, 'cat');
    assert.strictEqual((await client.line(solved, undefined, { max: 2 })).end, 'max');
    assert.strictEqual((await client.explain(solved)).claim.plies, 5);
    assert.strictEqual((await client.stats(solved)).mouse_histogram[0] > 0, true);
  },

  async errors() {
    const client = new Client();
    await assert.rejects(client.solve([[1], [0]]), { name: 'CatmouseError', code: 'E_BAD_PUZZLE' });
    await assert.rejects(client.query('abcdef', { mouse: 1, cat: 2, turn: 'mouse' }), { code: 'E_UNKNOWN_ID' });
    await assert.rejects(client.query('abcdef'), TypeError);
    await assert.rejects(client.call('sleep'), CatmouseError);
  },

  async cancelling() {
    const client = new Client();
    await client.call('ping');
    const controller = new AbortController();
    const solving = client.solve(slow, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await assert.rejects(solving, { code: 'E_CANCELLED' });
    await assert.rejects(client.solve(slow, { signal: controller.signal }), { code: 'E_CANCELLED' });
    assert.strictEqual(await client.call('ping'), 'pong');
  },

  async progress() {
    const seen = [];
    const { states } = await new Client().solve(slow, { onProgress: (progress) => seen.push(progress) });
    assert(seen.every((progress) => progress.states === states && progress.decided <= states));
  },

  async a_lost_daemon_is_started_again() {
    const client = new Client();
    const { pid } = await client.call('status');
    const solving = client.solve(slow);
    await client.call('ping');
    process.kill(pid, 'SIGKILL');
    await assert.rejects(solving, Error);
    await ended(pid);
    assert.strictEqual(await client.call('ping'), 'pong');
  },

  async no_daemon() {
    await assert.rejects(new Client({ autostart: false }).call('ping'), { code: 'ENOENT' });
    process.env.PATH = '/nowhere';
    await assert.rejects(new Client().call('ping'), /none could be started/);
  },

  async closing() {
    const client = new Client();
    const solving = client.solve(slow);
    await client.call('ping');
    client.close();
    await assert.rejects(solving, /closed/);
  },
};

tests[process.argv[2]]();
