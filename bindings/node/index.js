'use strict';
/*
 * A client of catmouse's daemon in JSON lines; README.md has an example, index.d.ts the types.
 *
 * Each call has a number, by which its answer is found, in whatever order answers come. A connection that is lost
 * rejects what waits on it, and the next call connects again.
 */
const { execFile } = require('child_process');
const fs = require('fs');
const net = require('net');
const path = require('path');

class CatmouseError extends Error {
  constructor({ message, data }) {
    super(message);
    this.name = 'CatmouseError';
    this.code = data.name;
  }
}

function socketPath() {
  const { CATMOUSE_SOCKET: named, XDG_RUNTIME_DIR: runtime } = process.env;
  if (named) return named;
  return path.join(runtime && runtime.startsWith('/') ? `${runtime}/catmouse` : `/tmp/catmouse-${process.geteuid()}`,
    'daemon.sock');
}

/** Nobody else can have put a socket into a folder that is ours alone. */
function checkFolder(folder) {
  const status = fs.lstatSync(folder);
  if (!status.isDirectory() || status.uid !== process.geteuid() || status.mode & 0o077) {
    throw new Error(`the socket's folder ${folder} is not ours alone (a folder of mode 0700)`);
  }
}

function connect(socket) {
  return new Promise((resolve, reject) => {
    checkFolder(path.dirname(socket));
    const connection = net.connect(socket);
    connection.once('error', reject);
    connection.once('connect', () => {
      connection.removeListener('error', reject);
      resolve(connection);
    });
  });
}

/** Has cmclient start the daemon, which it does under a lock that Node cannot take. */
function start(socket) {
  return new Promise((resolve, reject) => {
    execFile('cmclient', ['ping', '--socket', socket], (error, _, said) => {
      if (!error) resolve();
      else reject(new Error(`no daemon runs, and none could be started: ${said.trim() || error.message}`));
    });
  });
}

async function open(socket, autostart) {
  try {
    return await connect(socket);
  } catch (error) {
    if (!autostart || (error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT')) throw error;
  }
  await start(socket);
  return connect(socket);
}

/** Parameters about a state, the start where there is none. */
function at(subject, state, { limit, max }) {
  if (!state && !subject.start) throw new TypeError('an id alone has no start: a state is needed');
  return { id: subject.id || subject, state: state || subject.start.state, limit, max };
}

class Client {
  constructor({ socket = socketPath(), autostart = true } = {}) {
    this._path = path.resolve(socket);
    this._autostart = autostart && process.env.CATMOUSE_AUTOSTART !== '0';
    this._connection = null; // a promise of it
    this._waiting = new Map(); // by number
    this._last = 0;
  }

  _connected() {
    if (!this._connection) {
      this._connection = open(this._path, this._autostart).then((connection) => this._listen(connection));
      this._connection.catch(() => (this._connection = null));
    }
    return this._connection;
  }

  _listen(connection) {
    let reason = new Error('the daemon closed the connection before it answered');
    let parts = []; // of a line that has not ended
    connection.setEncoding('utf8');
    connection.on('data', (text) => {
      const lines = text.split('\n');
      parts.push(lines[0]);
      for (const begun of lines.slice(1)) {
        const message = JSON.parse(parts.join(''));
        if (message.id === null && message.error) reason = new CatmouseError(message.error); // of the connection itself
        else this._take(message);
        parts = [begun];
      }
      if (!this._waiting.size) connection.unref();
    });
    connection.on('error', (error) => (reason = error));
    connection.on('close', () => {
      this._connection = null;
      for (const { reject } of this._waiting.values()) reject(reason);
      this._waiting.clear();
    });
    return connection;
  }

  _take({ id, method, params, result, error }) {
    const call = this._waiting.get(method === 'progress' ? params.request : id);
    if (!call) return;
    if (method) {
      if (call.onProgress) call.onProgress(params);
      return;
    }
    this._waiting.delete(id);
    if (error) call.reject(new CatmouseError(error));
    else call.resolve(result);
  }

  async call(method, params = {}, { signal, onProgress } = {}) {
    const connection = await this._connected();
    const id = ++this._last;
    const cancel = () => connection.write(`${JSON.stringify({ method: 'cancel', params: { id } })}\n`);
    const request = { id, method, params: onProgress ? Object.assign({ progress: true }, params) : params };
    connection.ref();
    connection.write(`${JSON.stringify(request)}\n`);
    if (signal && signal.aborted) cancel();
    if (signal) signal.addEventListener('abort', cancel);
    try {
      return await new Promise((resolve, reject) => this._waiting.set(id, { resolve, reject, onProgress }));
    } finally {
      if (signal) signal.removeEventListener('abort', cancel);
    }
  }

  solve(puzzle, options) {
    return this.call('solve', { puzzle }, options);
  }

  async query(subject, state, options = {}) {
    return this.call('query', at(subject, state, options), options);
  }

  async line(subject, state, options = {}) {
    return this.call('line', at(subject, state, options), options);
  }

  async explain(subject, state, options = {}) {
    const { certificate } = await this.call('explain', at(subject, state, options), options);
    return certificate;
  }

  stats(subject) {
    return this.call('stats', { id: subject.id || subject });
  }

  close() {
    if (this._connection) this._connection.then((connection) => connection.destroy(), () => {});
  }
}

module.exports = { CatmouseError, Client };
