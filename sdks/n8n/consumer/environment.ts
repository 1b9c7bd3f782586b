// n8n keeps the id of the installation in the user's home folder, unless this is set before it is loaded.
process.env.N8N_USER_FOLDER = process.cwd();
